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
    /// The time in milliseconds for which a takeover waits for a transaction before it ends the owner's session.
    private static var takeoverTimeout: Int64 { leaseDuration.wholeMilliseconds }

    /// A Boolean value that indicates whether the process waits as a standby while another one owns the store.
    let waits: Bool
    private(set) var engine: ServiceEngine?
    /// The lock of the owner's row that the process's transaction holds.
    var lock: RowLock?
    /// The generation of the process that began the current batch; another one may be running when it ends.
    private var batchGeneration = 0
    private(set) var batchStart: Int64 = 0
    /// The clock's difference at the beginning of the current batch.
    private(set) var batchClockOffset: Int64 = 0
    /// The watch of a standby; nil if the process is active.
    private var watch: LeaseWatch?
    private var nextLook: Int64 = 0
    var lease: StoreLease?
    /// The server that the process connects to as long as it serves; nil for any.
    var preferredServer: SimulatedServer?
    /// The server with the store; nil for a service without a store, and before the first connection.
    private(set) var server: SimulatedServer?
    var breaks = 0
    /// The timeline on which the process knows the store.
    var place: String?
    private var activeSince: Instant?
    /// The time of the last failed commit.
    private var failedAt: Int64?
    var rules = EngineRules()

    /// The time in milliseconds for which a store must not be written to after a failed commit.
    static var storePause: Int64 { 1000 }

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

    var reading: ClockReading {
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
        if let preferredServer, preferredServer.condition == .serving { return preferredServer }
        let choices = servers.filter { !thatCommits || $0.condition == .serving }
        return choices.count > 1 ? simulation.forkDice.pick(choices) : choices.first
    }

    func use(_ server: SimulatedServer) {
        (self.server, breaks, place) = (server, server.breaks, server.place)
    }

    /// A Boolean value that indicates whether the connection has ended.
    var isDisconnected: Bool { server.map { $0.condition == .stopped || $0.breaks != breaks } ?? false }

    /// Ends the connection of this process.
    func loseConnection() { breaks = -1 }

    /// Connects again if the connection has ended, and compares the process's claim with what is there.
    func connect(_ token: Int) throws(StoreFailure) {
        do throws(StoreFailure) {
            try reconnect(token)
        } catch {
            noteFailure()
            throw error
        }
    }

    /// Notes a failed call of the store; the engine counts its pause from the beginning of the batch.
    func noteFailure() { if !isLeftAlone { failedAt = batchStart } }

    /// A Boolean value that indicates whether a call of the store has just failed, so that the engine pauses.
    var isLeftAlone: Bool { failedAt.map { simulation.now - $0 < Self.storePause } ?? false }

    private func reconnect(_ token: Int) throws(StoreFailure) {
        guard isDisconnected else { return }
        releaseLock()
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

    /// Returns the ownership of a store with this token; nil without a lease.
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
        (failedAt, rules) = (nil, EngineRules())
        server = nil
        if waits {
            watch = LeaseWatch(duration: Self.leaseDuration)
            nextLook = simulation.now
        } else {
            open()
        }
    }

    /// Takes the store over after the end of the transaction that locks the owner's row.
    private func open() {
        if let chosen = anyServer() {
            if chosen.row.isLocked { return wait(for: chosen.row) { [self] in open() } }
            use(chosen)
        }
        engine = makeEngine()
    }

    override func end() {
        releaseLock()
        (engine, watch, lease) = (nil, nil, nil)
    }

    override var deadline: Int64? {
        if isWaiting { return nextLook }
        if let heldUntil = rules.heldUntil { return heldUntil }
        guard variant == .withoutDeadlines, !rules.needsStart else {
            return engine?.nextWake(after: reading).map(simulation.virtual)
        }
        return engine?.store.ownership.map { simulation.virtual($0.renewalDue) }
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
        if isFree { then { [self] in lockForTakeover(seen) } }
    }

    /// Begins the transaction of a takeover, on a new connection: locks the owner's row.
    private func lockForTakeover(_ seen: OwnerState?) {
        guard let server = anyServer() else { return }
        use(server)
        if variant != .takeoverWithoutLock {
            guard let lock = server.row.lock() else {
                return wait(for: server.row) { [self] in lockForTakeover(seen) }
            }
            self.lock = lock
        }
        then { [self] in checkForTakeover(seen) }
    }

    /// Reads the owner, and goes on if nothing has changed since the look.
    private func checkForTakeover(_ seen: OwnerState?) {
        guard canTakeOver, let row, row.seen == seen || variant == .takeoverWithoutCheck else { return releaseLock() }
        if let pause = takePlannedPause() { freeze(for: pause) }
        then { [self] in succeed() }
    }

    /// A Boolean value that indicates whether the transaction of the takeover is still open.
    private var canTakeOver: Bool {
        guard let server, server.condition == .serving, !isDisconnected else { return false }
        return variant == .takeoverWithoutLock || lock?.isHeld == true
    }

    /// Changes the owner's row, commits, and begins as the active instance.
    private func succeed() {
        guard canTakeOver, let row else { return releaseLock() }
        simulation.note("takes over as a standby", self)
        if let lease = row.lease, simulation.monotonic < lease.trustedUntil {
            simulation.oracle.report("a store is taken from an owner that relies on its lease", name)
        }
        watch = nil
        succeeds()
        engine = makeEngine()
        releaseLock()
        decide([Core.Input]())
    }

    /// Waits for the end of another transaction, which is ended together with its session after some time.
    private func wait(for row: StoreOwner, _ step: @escaping () -> Void) {
        simulation.note("waits for the lock of the owner's row", self)
        let holder = row.holder
        then(step)
        suspend()
        let generation = generation
        row.whenUnlocked { [self] in
            simulation.after(0) { [self] in if self.generation == generation { resume() } }
        }
        simulation.after(Self.takeoverTimeout) { [self] in
            guard isAlive, self.generation == generation, let holder, holder.isHeld else { return }
            simulation.note("ends the session that locks the owner's row", self)
            holder.release()
        }
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

    /// A Boolean value that indicates whether the process has died in the middle of its batch.
    var isGone: Bool { !isAlive || batchGeneration != generation }

    private func beginBatch() {
        (batchGeneration, batchStart, batchClockOffset) = (generation, simulation.now, clockOffset)
    }

    func decide(_ inputs: [Core.Input]) {
        if let heldUntil = rules.heldUntil, simulation.now < heldUntil {
            for input in inputs { then { [self] in refuse(input) } }
            return
        }
        rules.heldUntil = nil
        if variant == .withoutStart, rules.needsStart, !inputs.isEmpty {
            decide([Core.Input]())
            if isGone || engine == nil { return }
        }
        guard var engine = engine.take() else { return }
        beginBatch()
        let failures = engine.failedCommits
        let outcome: BatchOutcome<Core.Input, Core.Effect>
        do {
            outcome = try engine.process(inputs, setup: setup, now: batchReading(engine.pauseReason != nil))
        } catch {
            return isGone ? () : leave()
        }
        if isGone { return }
        if engine.pauseReason is SimulatedDeath { return crash() }
        let isNew = engine.failedCommits > failures
        self.engine = engine
        if !isFenced { reportRole() }
        switch outcome {
        case .perform(let decided):
            let effects = effectsToPerform(decided)
            judgeFence(effects.count)
            for effect in effects { then { [self] in perform(effect) } }
        case .paused(let effects, let refused):
            judgeFence(effects.count)
            for input in refused { then { [self] in refuse(input) } }
            for effect in effects { then { [self] in perform(effect) } }
            guard isNew else { return }
            rules.needsStart = true
            then { [self] in discarded() }
        }
    }

    /// Ends a process that was taken over.
    private func leave() {
        simulation.note("finds that another took over", self)
        // A standby that was active waits again.
        isLeaving =
            isLeaving
            || !waits
                && simulation.processes.contains {
                    $0 !== self && $0.service == service && $0.isAlive && !$0.isLeaving
                }
        crash()
    }

    /// Performs an effect, after the store was asked if the last commit was long ago.
    private func perform(_ effect: Core.Effect) {
        guard waits, needsConfirmation else {
            if waits, isFenced, lease.map({ $0.trustedUntil <= simulation.monotonic }) ?? false {
                simulation.oracle.report("an owner acts after the end of its lease", name)
            }
            return carryOut(effect)
        }
        guard var engine = engine.take() else { return }
        beginBatch()
        do {
            let isConfirmed = try engine.confirmOwnership(now: reading)
            if isGone { return }
            if engine.pauseReason is SimulatedDeath { return crash() }
            self.engine = engine
            if isConfirmed {
                judgeConfirmation()
                return carryOut(effect)
            }
            discardSteps()
            then { [self] in discarded() }
        } catch {
            if !isGone { leave() }
        }
    }
}
