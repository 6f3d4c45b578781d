// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import MessageBus
import ServiceEngine
import Storage
import WidgetSchema

/// A service in the simulation: the product's engine and core, with a store that may fail.
///
/// Like the product's thread, it passes a batch to the engine and performs the effects; the process may die or pause
/// before each of them.
class EngineProcess<Core: ServiceCore, Store: ServiceStore, Pool: Workers>: SimulatedProcess
where Store.State == Core.State, Store.Write == Core.Write, Pool.Work == Core.Work, Pool.Done == Core.Done {
    typealias ServiceEngine = Engine<Core, Store, Pool>

    /// The time without a renewal after which a standby takes over.
    static var leaseDuration: Duration { .milliseconds(3000) }
    private static var lookInterval: Int64 { 500 }

    /// A Boolean value that indicates whether the process waits as a standby while another one owns the store.
    let waits: Bool
    private var engine: ServiceEngine?
    /// The watch of a standby; nil if the process is active.
    private var watch: LeaseWatch?
    private var nextLook: Int64 = 0
    private var lease: StoreLease?
    /// The server with the store; nil for a service without a store, and before the first connection.
    private(set) var server: SimulatedServer?
    private var breaks = 0
    /// The timeline on which the process knows the store.
    private var place: String?
    private var activeSince: Instant?
    /// The time of the last failed commit.
    private var failedAt: Int64?

    /// The time in milliseconds for which a store must not be written to after a failed commit.
    private static var storePause: Int64 { 1000 }

    init(
        _ simulation: Simulation,
        service: ServiceName,
        number: Int,
        subscriptions: Set<Message.Kind>,
        waits: Bool = false
    ) {
        self.waits = waits
        super.init(simulation, service: service, number: number, subscriptions: subscriptions)
    }

    var variant: Variant? { simulation.settings.variant }
    var isWaiting: Bool { watch != nil }
    override var isActive: Bool { isAlive && !isWaiting }
    /// The milliseconds by which the wall clock of the process's machine is ahead.
    var clockOffset: Int64 { 0 }

    private var reading: ClockReading {
        let now = simulation.reading
        return ClockReading(wall: now.wall.advanced(byMilliseconds: clockOffset), monotonic: now.monotonic)
    }

    // MARK: The parts of a service

    /// Creates the engine of a new process.
    func makeEngine() -> ServiceEngine { preconditionFailure("each service makes its engine") }
    var setup: Core.Setup { preconditionFailure("each service has a setup") }
    func input(_ input: Input) -> Core.Input? { nil }
    func carryOut(_ effect: Core.Effect) {}
    func refuse(_ input: Core.Input) {}
    func discarded() {}
    /// A Boolean value that indicates whether another process owns the store.
    var isFenced: Bool { false }
    /// The servers that the process may reach; empty for a service without a store.
    var servers: [SimulatedServer] { [] }
    /// The row that names the owner of the store; nil for a service without a store.
    var row: StoreOwner? { server?.row }
    /// Notes that the process succeeds another one as its standby.
    func succeeds() {}

    /// Takes the store over, and returns the token.
    func takeOver() -> Int {
        let lease = StoreLease(duration: Self.leaseDuration, takenAt: simulation.monotonic)
        self.lease = lease
        activeSince = simulation.wall
        guard let server = server ?? anyServer() else { return 0 }
        use(server)
        let isOther = server.row.place.map { $0 != server.place } ?? false
        if isOther, variant != .forkUnmarked { server.noteRestore() }
        server.row.place = server.place
        let timeline = variant == .tokensOfAnyTimeline ? 0 : server.timeline
        return server.row.takeOver(lease, firstToken: OwnerClaim.firstToken(timeline: timeline))
    }

    // MARK: Connections

    /// Returns one of the servers, as a list of hosts may lead to a former primary.
    private func anyServer(thatCommits: Bool = true) -> SimulatedServer? {
        let choices = servers.filter { !thatCommits || $0.condition == .serving }
        return choices.count > 1 ? simulation.forkDice.pick(choices) : choices.first
    }

    private func use(_ server: SimulatedServer) {
        (self.server, breaks, place) = (server, server.breaks, server.place)
    }

    /// A Boolean value that indicates whether the connection has ended.
    private var isDisconnected: Bool { server.map { $0.condition == .stopped || $0.breaks != breaks } ?? false }

    /// Connects again if the connection has ended, and compares the process's claim with what is there.
    func connect(_ token: Int) throws(StoreFailure) {
        do throws(StoreFailure) {
            try reconnect(token)
        } catch {
            if !isLeftAlone { failedAt = simulation.now }
            throw error
        }
    }

    /// A Boolean value that indicates whether a call of the store has just failed, so that the engine pauses.
    private var isLeftAlone: Bool { failedAt.map { simulation.now - $0 < Self.storePause } ?? false }

    private func reconnect(_ token: Int) throws(StoreFailure) {
        guard isDisconnected else { return }
        // Without an acknowledgement, the lock of the owner's row is not granted.
        guard let next = anyServer(thatCommits: false), next.condition == .serving else {
            throw .discard(SimulatedFailure())
        }
        let claim = OwnerClaim(token: Int64(token), place: place)
        switch claim.check(owner: Int64(next.row.token), place: next.place) {
        case .unchanged: use(next)
        case .takenOver: throw .takenOver(SimulatedTakeover())
        case .formerPrimary: throw .discard(SimulatedFailure())
        case .promoted:
            simulation.note("finds a promoted server", self)
            use(next)
            next.row.place = next.place
            guard variant != .forkUnmarked else { return }
            next.noteRestore()
            throw .discard(SimulatedFailure())
        }
    }

    /// The ownership of a store with this token.
    func ownership(_ token: Int) -> Ownership? {
        lease.map { lease in
            Ownership(
                term: Term(timeline: server?.timeline ?? 0, token: UInt64(token)),
                renewalDue: lease.renewalDue,
                trustedUntil: lease.trustedUntil
            )
        }
    }

    // MARK: The loop

    override var initialRole: InstanceRole? {
        waits && variant != .withoutRoles ? InstanceRole(.standby) : nil
    }

    override func begin() {
        failedAt = nil
        server = nil
        if waits {
            watch = LeaseWatch(duration: Self.leaseDuration)
            nextLook = simulation.now
        } else {
            engine = makeEngine()
        }
    }

    override func end() { (engine, watch, lease) = (nil, nil, nil) }

    override var deadline: Int64? {
        isWaiting ? nextLook : engine?.nextWake(after: reading).map(simulation.virtual)
    }

    override func decide(_ inputs: [Input]) {
        if isWaiting { wait(inputs) } else { decide(inputs.compactMap(input)) }
    }

    // MARK: Standby

    /// Drops all inputs, and looks at the owner of the store.
    private func wait(_ inputs: [Input]) {
        for case .bus(.request) in inputs { simulation.oracle.report("a standby gets a request", name) }
        guard simulation.now >= nextLook, var watch else { return }
        nextLook = simulation.now + Self.lookInterval
        if isDisconnected {
            watch.lookFailed()
            (server, self.watch) = (nil, watch)
        }
        guard let server = server ?? anyServer(thatCommits: false) else { return }
        use(server)
        let seen = server.row.seen
        let isFree = watch.look(seen, begunAt: simulation.monotonic, endedAt: simulation.monotonic)
        self.watch = watch
        // Between the look and the takeover, the process may be suspended.
        if isFree { then { [self] in succeed(seen) } }
    }

    private func succeed(_ seen: OwnerState?) {
        // The takeover is a new connection.
        guard let server = anyServer(), server.row.seen == seen || variant == .takeoverWithoutCheck else { return }
        use(server)
        simulation.note("takes over as a standby", self)
        if let lease = server.row.lease, simulation.monotonic < lease.trustedUntil {
            simulation.oracle.report("a store is taken from an owner that relies on its lease", name)
        }
        watch = nil
        succeeds()
        engine = makeEngine()
        decide([Core.Input]())
    }

    private func reportRole() {
        guard let row, let lease else { return }
        setRole(
            InstanceRole(
                .active,
                term: Term(timeline: server?.timeline ?? 0, token: UInt64(row.token)),
                since: activeSince,
                trustedUntil: waits ? lease.trustedUntil : nil
            )
        )
    }

    // MARK: Batches

    func decide(_ inputs: [Core.Input]) {
        guard var engine = engine.take() else { return }
        let failures = engine.failedCommits
        let outcome: BatchOutcome<Core.Input, Core.Effect>
        do {
            outcome = try engine.process(inputs, setup: setup, now: reading)
        } catch {
            return leave()
        }
        if engine.pauseReason is SimulatedDeath { return crash() }
        let isNew = engine.failedCommits > failures
        self.engine = engine
        if !isFenced { reportRole() }
        switch outcome {
        case .perform(let effects):
            judgeFence(effects.count)
            for effect in effects { then { [self] in perform(effect) } }
        case .paused(let effects, let refused):
            judgeFence(effects.count)
            for effect in effects { then { [self] in perform(effect) } }
            for input in refused { then { [self] in refuse(input) } }
            if isNew { then { [self] in discarded() } }
        }
    }

    /// Ends a process that was taken over.
    private func leave() {
        simulation.note("finds that another took over", self)
        // A standby that was active waits again.
        isLeaving =
            isLeaving
            || !waits && simulation.processes.contains { $0 !== self && $0.service == service && $0.isAlive }
        crash()
    }

    /// Performs an effect, after the store was asked if the last commit was long ago.
    private func perform(_ effect: Core.Effect) {
        guard waits, let isDue = engine?.needsConfirmation(now: simulation.monotonic), isDue else {
            if waits, isFenced, lease.map({ $0.trustedUntil <= simulation.monotonic }) ?? false {
                simulation.oracle.report("an owner acts after the end of its lease", name)
            }
            return carryOut(effect)
        }
        guard var engine = engine.take() else { return }
        do {
            let isConfirmed = try engine.confirmOwnership(now: reading)
            if engine.pauseReason is SimulatedDeath { return crash() }
            self.engine = engine
            if isConfirmed { return carryOut(effect) }
            discardSteps()
            then { [self] in discarded() }
        } catch {
            leave()
        }
    }

    /// Reports effects that were decided after another process had taken over the store.
    private func judgeFence(_ effects: Int) {
        guard effects > 0, isFenced, variant != .withoutFencing else { return }
        simulation.oracle.report("a process that was taken over goes on", "\(name) has \(effects) effects")
    }

    // MARK: Commits

    /// Simulates the possible results of a commit: the process dies before it, the store has another owner, the commit
    /// fails, or its result is unknown.
    func committing(_ token: Int, isEmpty: Bool, _ write: () -> Void) throws(StoreFailure) {
        if simulation.decidesToCrash(self) { throw .discard(SimulatedDeath()) }
        let isLeftAlone = isLeftAlone
        try connect(token)
        if token != row?.token, variant != .withoutFencing { throw .takenOver(SimulatedTakeover()) }
        if !isEmpty, try isCutOff(write, isLeftAlone: isLeftAlone) { return }
        if isLeftAlone, !isEmpty {
            simulation.oracle.report("a store that has just failed is written to", name)
        }
        let fails = simulation.isChaotic && simulation.faultDice.chance(simulation.faults.failedCommit)
        let isWritten = !fails || simulation.faultDice.chance(0.5)
        if isWritten {
            write()
            if !isEmpty { judgeWriter() }
            if !fails { sign(isEmpty: isEmpty) }
        }
        guard fails else { return }
        simulation.note("a commit fails, and is \(isWritten ? "" : "not ")there", self)
        if !isLeftAlone { failedAt = simulation.now }
        throw .discard(SimulatedFailure())
    }

    /// Writes to a server that acknowledges no commit: the write is visible there, and its result stays unknown.
    private func isCutOff(_ write: () -> Void, isLeftAlone: Bool) throws(StoreFailure) -> Bool {
        guard let server, server.condition == .cutOff else { return false }
        write()
        guard variant != .unacknowledgedCommits else {
            server.wronglyAcknowledged += 1
            return true
        }
        simulation.note("waits for an acknowledgement in vain", self)
        server.endConnections()
        if !isLeftAlone { failedAt = simulation.now }
        throw .discard(SimulatedFailure())
    }

    private func judgeWriter() {
        guard variant != .withoutFencing, let row, !row.isOnlyWriter("\(name).\(generation)") else { return }
        simulation.oracle.report("two processes write with one token", name)
    }

    /// Notes a commit in the owner's row, or a renewal that is due: both are signs of life.
    private func sign(isEmpty: Bool) {
        guard let row, var lease, server?.condition == .serving, !isEmpty || lease.renewalDue <= simulation.monotonic
        else { return }
        lease.renew(begunAt: simulation.monotonic)
        self.lease = lease
        if isEmpty {
            row.renew(lease, isHidden: variant == .withoutRenewals)
        } else {
            row.commit(lease)
        }
    }
}

/// The process dies in the middle of a batch.
struct SimulatedDeath: Error {}
/// Another process has taken over the store.
struct SimulatedTakeover: Error {}
/// The commit fails, or its result is unknown.
struct SimulatedFailure: Error {}
