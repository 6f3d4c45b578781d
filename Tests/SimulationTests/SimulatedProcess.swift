// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WidgetSchema

@testable import MessageBus

/// A process in the simulation: it handles all arrived inputs as one batch and performs the results step by step; it
/// may die or pause before each step.
///
/// Its connection to the bus (readiness, heartbeats and retries) is the real client's core.
class SimulatedProcess {
    /// An input from the network.
    private enum Arrival {
        case core(ClientCore.Input)
        case message(Message)
    }

    /// An input for the service.
    enum Input {
        case bus(BusInput)
        case message(Message)
    }

    /// A box for the client's core, so that it is modified in place.
    private final class Client {
        var core: ClientCore

        init(_ core: ClientCore) { self.core = core }
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

    private var client: Client?
    /// The time at which the client has something to do; stored, because every step reads it.
    private var clientDue: Int64?
    private var arrivals: [Arrival] = []
    private var steps: [() -> Void] = []
    private var nextStep = 0
    private var isRunning = false
    private var wakeAt: Int64?
    private var lastTick: Int64 = -1
    private var requestCount = 0
    private var connection = 0

    init(_ simulation: Simulation, service: ServiceName?, number: Int, subscriptions: Set<Message.Kind>) {
        self.simulation = simulation
        self.service = service
        self.number = number
        self.subscriptions = subscriptions
    }

    var name: String { "\(service?.rawValue ?? "client")-\(number)" }
    var nonce: String { "n\(number)-\(generation)" }
    /// The identity at the bus, which differs for each new connection.
    private(set) var peer = Data()

    // MARK: The parts of a service

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
        generation += 1
        (arrivals, steps, nextStep, wakeAt, lastTick) = ([], [], 0, nil, -1)
        guard let address = try? BusAddress("tcp://127.0.0.1:5555") else { preconditionFailure("an address") }
        var configuration = BusConfiguration(
            address: address,
            subscriptions: subscriptions.isEmpty ? [] : ["all/"],
            publishes: service != nil,
            nonce: nonce
        )
        configuration.heartbeatInterval = Self.heartbeatInterval
        configuration.unavailableRetryInterval = Self.unavailableRetryInterval
        if let service, let instance = InstanceName(rawValue: "\(service.rawValue)-\(number)") {
            configuration.registration = BusConfiguration.Registration(
                service: service,
                instance: instance,
                version: "0",
                startedAt: simulation.wall
            )
        }
        client = Client(ClientCore(configuration, now: simulation.monotonic))
        clientDue = nil
        beginConnection()
        simulation.note("starts", self)
        begin()
        if simulation.bus.isAlive { connect() }
        wake(at: simulation.now)
    }

    func connect() {
        guard isAlive else { return }
        beginConnection()
        let (generation, connection) = (self.generation, self.connection)
        simulation.after(simulation.latency()) { [self] in
            guard isAlive, self.generation == generation, self.connection == connection, simulation.bus.isAlive else {
                return
            }
            arrive(.core(.connected))
            arrive(.core(.publisherSubscribed))
            arrive(.core(.echoed))
        }
    }

    private func beginConnection() {
        connection += 1
        peer = Data("\(number)-\(generation)-\(connection)".utf8)
    }

    func disconnect() {
        guard isAlive else { return }
        beginConnection()
        arrive(.core(.disconnected))
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

    func resume() {
        guard isAlive, isPaused else { return }
        isPaused = false
        simulation.note("goes on", self)
        run()
    }

    // MARK: Arrivals

    func receive(_ frames: [Data]) { arrive(.core(.received(frames))) }

    func receive(_ message: Message) { arrive(.message(message)) }

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
                    isPaused = true
                    simulation.note("stands still for \(pause) ms", self)
                    let generation = generation
                    simulation.after(pause) { [self] in if self.generation == generation { resume() } }
                    return
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
            case .message(let message): inputs.append(.message(message))
            case .core(let input): handle(input, &inputs)
            }
        }
        if let clientDue, clientDue <= simulation.now { handle(.tick, &inputs) }
        let now = simulation.now
        let isDue = deadline.map { $0 <= now } ?? false
        guard !inputs.isEmpty || isDue && lastTick != now else { return nil }
        if isDue { lastTick = now }
        return inputs
    }

    private func handle(_ input: ClientCore.Input, _ inputs: inout [Input]) {
        guard let client else { return }
        let actions = client.core.handle(input, now: simulation.monotonic)
        clientDue = client.core.nextDue.map(simulation.virtual)
        obey(actions, &inputs)
    }

    private func obey(_ actions: [ClientCore.Action], _ inputs: inout [Input]) {
        for action in actions {
            switch action {
            case .send(let frames): simulation.bus.send(frames, from: self)
            case .deliver(let input): inputs.append(.bus(input))
            case .askForEcho:
                let (generation, connection) = (self.generation, self.connection)
                simulation.after(simulation.latency()) { [self] in
                    guard self.generation == generation, self.connection == connection, simulation.bus.isAlive else {
                        return
                    }
                    arrive(.core(.echoed))
                }
            case .count: break
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
    func request(_ target: ServiceName, _ request: SimulatedRequest, deadline: Int64) -> RequestID? {
        requestCount += 1
        guard let id = RequestID(rawValue: "\(nonce)-\(requestCount)") else { return nil }
        simulation.requests[id] = (request, Int(deadline))
        let outgoing = OutgoingRequest(
            id: id,
            target: RequestTarget(target),
            json: Simulation.requestToken,
            now: simulation.monotonic,
            patience: .milliseconds(deadline),
            waitsForService: true
        )
        tell(.ask(outgoing))
        return id
    }

    func reply(to request: IncomingRequest, _ json: Data, _ contents: [Data] = []) {
        tell(.reply(route: request.route, id: request.id, json: json, contents: contents))
    }

    func reply(to request: IncomingRequest, _ answer: SimulatedAnswer) {
        reply(to: request, simulation.token(for: answer))
    }

    func reply(to request: IncomingRequest, error: RequestError) {
        reply(to: request, (try? WireJSON.encode(Answer<Done>.error(error))) ?? Data())
    }

    private func tell(_ input: ClientCore.Input) {
        var inputs: [Input] = []
        handle(input, &inputs)
        precondition(inputs.isEmpty, "asking and answering deliver nothing at once")
    }
}
