// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Telemetry
import WidgetSchema

@testable import MessageBus

/// A process in the simulation: it handles all arrived inputs as one batch and performs the results step by step; it
/// may die or pause before each step.
///
/// Its connection to the bus (readiness, heartbeats and retries) is the real client's core.
class SimulatedProcess {
    /// An input from the network.
    private enum Arrival {
        case client(ClientGroupCore.Input)
        case message(Message, bus: Int)
    }

    /// An input for the service.
    enum Input {
        case bus(BusInput)
        case message(Message)
    }

    /// A box for the client's core, so that it is modified in place.
    private final class Client {
        var core: ClientGroupCore
        var merger = MessageMerger()

        init(_ core: ClientGroupCore) { self.core = core }
    }

    unowned let simulation: Simulation
    let service: ServiceName?
    let number: Int
    let subscriptions: Set<Message.Kind>
    private(set) var generation = 0
    private(set) var isAlive = false
    private(set) var isPaused = false
    /// A Boolean value that indicates whether this is an old instance that runs for a while and is not restarted.
    var isLeaving = false
    /// Two lost heartbeats in a row count as a silence, as with the real interval, which is shorter.
    private static let heartbeatInterval: Duration = .milliseconds(1500)
    /// Shorter intervals would find nothing more and take most of the time of a run.
    private static let unavailableRetryInterval: Duration = .milliseconds(600)

    /// Called once within the process's next transaction; returns the milliseconds for which the process is suspended there.
    var plannedPause: (() -> Int64)?
    private let role = CurrentRole()
    private var client: Client?
    /// The time at which the client has something to do; stored, because every step reads it.
    private var clientDue: Int64?
    private var arrivals: [Arrival] = []
    private var steps: [() -> Void] = []
    private var nextStep = 0
    private var isRunning = false
    private var wakeAt: Int64?
    private var ticks = Ticks()
    private var requestCount = 0
    /// The number of the connection to each bus.
    private var connections: [Int]
    /// The buses with a connection.
    private var connected: Set<Int> = []

    init(_ simulation: Simulation, service: ServiceName?, number: Int, subscriptions: Set<Message.Kind>) {
        self.simulation = simulation
        self.service = service
        self.number = number
        self.subscriptions = subscriptions
        connections = simulation.buses.map { _ in 0 }
        peers = simulation.buses.map { _ in Data() }
    }

    var name: String { "\(service?.rawValue ?? "client")-\(number)" }
    var nonce: String { "n\(number)-\(generation)" }
    /// The identity at each bus, which differs for each new connection.
    private(set) var peers: [Data]
    /// The metrics that heartbeats carry.
    var metrics: Metrics.Reading { Metrics.Reading() }

    // MARK: The parts of a service

    /// The role with which the process registers; nil for a service without a store.
    var initialRole: InstanceRole? { nil }
    /// A Boolean value that indicates whether the process is alive and no standby.
    var isActive: Bool { isAlive }
    /// Creates the state of a process in memory.
    func begin() {}
    /// Handles a batch; it is empty if only the deadline has passed.
    func decide(_ inputs: [Input]) {}
    /// The time at which there is something to do without an input.
    var deadline: Int64? { nil }
    /// Ends everything elsewhere that belongs to the process.
    func end() {}

    // MARK: Life

    func start() {
        guard !isAlive else { return }
        isAlive = true
        isPaused = false
        plannedPause = nil
        generation += 1
        (arrivals, steps, nextStep, wakeAt, ticks) = ([], [], 0, nil, Ticks())
        let text = simulation.buses.map { "tcp://127.0.0.\($0.number + 1):5555" }.joined(separator: ",")
        guard let addresses = try? BusAddresses(text) else { preconditionFailure("addresses") }
        var configuration = BusConfiguration(
            addresses: addresses,
            subscriptions: subscriptions.isEmpty ? [] : ["all/"],
            publishes: service != nil,
            nonce: nonce
        )
        configuration.heartbeatInterval = Self.heartbeatInterval
        configuration.unavailableRetryInterval = Self.unavailableRetryInterval
        if simulation.settings.variant == .requestsStay { configuration.failoverInterval = .seconds(3600) }
        if let service, let instance = InstanceName(rawValue: "\(service.rawValue)-\(number)") {
            configuration.registration = BusConfiguration.Registration(
                service: service,
                instance: instance,
                version: "0",
                startedAt: simulation.wall
            )
        }
        let metrics = metrics
        role.set(initialRole)
        client = Client(
            ClientGroupCore(
                configuration,
                now: simulation.monotonic,
                metrics: { metrics },
                role: { [role] in role.value }
            )
        )
        clientDue = nil
        for bus in simulation.buses { beginConnection(to: bus.number) }
        simulation.note("starts", self)
        begin()
        for bus in simulation.buses where bus.accepts { connect(to: bus.number) }
        wake(at: simulation.now)
    }

    func connect(to bus: Int) {
        guard isAlive else { return }
        beginConnection(to: bus)
        onConnection(to: bus) { [self] in
            connected.insert(bus)
            arrive(.client(.one(bus, .connected)))
            arrive(.client(.one(bus, .publisherSubscribed)))
            arrive(.client(.one(bus, .echoed)))
        }
    }

    /// Connects to a bus that goes on, unless the connection has lasted.
    func reconnect(to bus: Int) {
        if !connected.contains(bus) { connect(to: bus) }
    }

    private func beginConnection(to bus: Int) {
        connections[bus] += 1
        connected.remove(bus)
        peers[bus] = Data("\(number)-\(generation)-\(connections[bus])".utf8)
    }

    /// Performs an action after the latency, if the connection is still the same.
    private func onConnection(to bus: Int, _ action: @escaping () -> Void) {
        let (generation, connection) = (self.generation, connections[bus])
        simulation.after(simulation.latency()) { [self] in
            guard isAlive, self.generation == generation, connections[bus] == connection, simulation.buses[bus].accepts
            else { return }
            action()
        }
    }

    func disconnect(from bus: Int) {
        guard isAlive else { return }
        beginConnection(to: bus)
        arrive(.client(.one(bus, .disconnected)))
        arrive(.client(.one(bus, .publisherDisconnected)))
    }

    /// Returns whether this process publishes on a bus.
    func publishes(at bus: Int) -> Bool {
        if simulation.settings.variant == .publishOnOneBus { return bus == 0 }
        return client?.core.publishes(at: bus) ?? false
    }

    /// Ends the process at once; it is restarted after a while, unless it is leaving.
    func crash(comesBackAfter pause: Int64? = nil) {
        guard isAlive else { return }
        isAlive = false
        (arrivals, steps, nextStep) = ([], [], 0)
        client = nil
        simulation.note("dies", self)
        simulation.crashes += 1
        end()
        guard !isLeaving else { return }
        let generation = generation
        simulation.after(pause ?? simulation.faultDice.number(300...6000)) { [self] in
            if !isAlive, self.generation == generation, !isLeaving, simulation.mayStart(self) { start() }
        }
    }

    /// Releases everything that the process holds, at the end of a run.
    func letGo() { (arrivals, steps, client) = ([], [], nil) }

    /// Stops the process for some time.
    func freeze(for pause: Int64) {
        guard isAlive, !isPaused else { return }
        isPaused = true
        simulation.note("stands still for \(pause) ms", self)
        let generation = generation
        simulation.after(pause) { [self] in if self.generation == generation { resume() } }
    }

    /// Stops the process until `resume` is called.
    func suspend() { isPaused = true }

    /// Returns the pause that was planned for the current transaction.
    func takePlannedPause() -> Int64? {
        guard simulation.isChaotic, let plan = plannedPause.take() else { return nil }
        return plan()
    }

    func resume() {
        guard isAlive, isPaused else { return }
        isPaused = false
        simulation.note("goes on", self)
        run()
    }

    // MARK: Arrivals

    func receive(_ frames: [Data], from bus: Int) { arrive(.client(.one(bus, .received(frames)))) }

    func receive(_ message: Message, from bus: Int) { arrive(.message(message, bus: bus)) }

    private func arrive(_ arrival: Arrival) {
        guard isAlive else { return }
        arrivals.append(arrival)
        run()
    }

    // MARK: Steps

    /// Adds the next step.
    func then(_ step: @escaping () -> Void) { steps.append(step) }

    /// Discards the remaining steps of the batch.
    func discardSteps() {
        steps = []
        nextStep = 0
    }

    func run() {
        guard isAlive, !isPaused, !isRunning else { return }
        isRunning = true
        defer { isRunning = false }
        while isAlive, !isPaused {
            if nextStep < steps.count {
                if simulation.decidesToCrash(self) { return crash() }
                if let pause = simulation.decidesToPause(self) {
                    return freeze(for: pause)
                }
                let step = steps[nextStep]
                nextStep += 1
                step()
                continue
            }
            discardSteps()
            guard let inputs = nextBatch() else { break }
            decide(inputs)
        }
        if isAlive, !isPaused { scheduleWake() }
    }

    private func nextBatch() -> [Input]? {
        var inputs: [Input] = []
        let batch = arrivals
        arrivals = []
        for arrival in batch {
            switch arrival {
            case .message(let message, let bus):
                if isNew(message, from: bus) { inputs.append(.message(message)) }
            case .client(let input): handle(input, &inputs)
            }
        }
        if let clientDue, clientDue <= simulation.now { handle(.all(.tick), &inputs) }
        let now = simulation.now
        let isDue = deadline.map { $0 <= now } ?? false
        guard !inputs.isEmpty || isDue && ticks.last != now else { return nil }
        if isDue { ticks.note(at: now, isIdle: inputs.isEmpty) }
        if ticks.areEndless { simulation.oracle.report("a process is woken without end", name) }
        return inputs
    }

    /// Returns false for the copy of a message that the other bus has delivered.
    private func isNew(_ message: Message, from bus: Int) -> Bool {
        guard simulation.buses.count > 1, simulation.settings.variant != .withoutMerging else { return true }
        return client?.merger.isNew(message.hash, from: bus, now: simulation.monotonic) ?? false
    }

    private func handle(_ input: ClientGroupCore.Input, _ inputs: inout [Input]) {
        guard let client else { return }
        let actions = client.core.handle(input, now: simulation.monotonic)
        clientDue = client.core.nextDue.map(simulation.virtual)
        obey(actions, &inputs)
    }

    private func obey(_ actions: [ClientGroupCore.Action], _ inputs: inout [Input]) {
        for action in actions {
            switch action {
            case .one(let bus, .send(let frames)): simulation.buses[bus].send(frames, from: self)
            case .one(let bus, .askForEcho):
                onConnection(to: bus) { [self] in arrive(.client(.one(bus, .echoed))) }
            case .deliver(let input), .one(_, .deliver(let input)): inputs.append(.bus(input))
            case .count, .one(_, .count): break
            }
        }
    }

    private func scheduleWake() {
        var next = deadline
        if let clientDue { next = next.map { min($0, clientDue) } ?? clientDue }
        if let next { wake(at: max(next, simulation.now + 1)) }
    }

    private func wake(at moment: Int64) {
        if let wakeAt, wakeAt <= moment, wakeAt > simulation.now { return }
        wakeAt = moment
        let generation = generation
        simulation.at(moment) { [self] in
            guard isAlive, self.generation == generation, wakeAt == moment else { return }
            wakeAt = nil
            run()
        }
    }

    // MARK: Messages to others

    func publish(_ message: Message) { simulation.publish(message, from: self) }

    @discardableResult
    func request(
        _ target: ServiceName,
        _ request: SimulatedRequest,
        deadline: Int64,
        instance: InstanceName? = nil
    ) -> RequestID? {
        requestCount += 1
        guard let id = RequestID(rawValue: "\(nonce)-\(requestCount)") else { return nil }
        simulation.requests[id] = (request, Int(deadline))
        let outgoing = OutgoingRequest(
            id: id,
            target: RequestTarget(target, instance: instance),
            json: Simulation.requestToken,
            now: simulation.monotonic,
            timeout: .milliseconds(deadline),
            waitsForService: instance == nil
        )
        tell(.all(.ask(outgoing)))
        return id
    }

    func reply(to request: IncomingRequest, _ json: Data, _ contents: [Data] = []) {
        tell(.one(request.bus, .reply(route: request.route, id: request.id, json: json, contents: contents)))
    }

    func reply(to request: IncomingRequest, _ answer: SimulatedAnswer) {
        reply(to: request, simulation.token(for: answer))
    }

    func reply(to request: IncomingRequest, error: RequestError) {
        reply(to: request, (try? WireJSON.encode(Answer<Done>.error(error))) ?? Data())
    }

    /// Tells the heartbeats that this service is ready.
    func becomeReady() { tell(.all(.health(.ready, message: nil))) }

    /// Sets the role; another role or term is sent at once.
    func setRole(_ new: InstanceRole) {
        let isNews = role.value?.withoutTrust != new.withoutTrust
        role.set(new)
        if isNews { tell(.all(.roleChanged)) }
    }

    private func tell(_ input: ClientGroupCore.Input) {
        var inputs: [Input] = []
        handle(input, &inputs)
        precondition(inputs.isEmpty, "asking and answering deliver nothing at once")
    }
}
