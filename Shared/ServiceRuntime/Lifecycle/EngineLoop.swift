// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import MessageBus
import ServiceEngine
import Telemetry
import WidgetSchema

/// The loop that drives a service's engine on the service's thread.
struct EngineLoop<Adapter: ServiceAdapter, Store: ServiceStore, Pool: Workers>
where
    Store.State == Adapter.Core.State, Store.Write == Adapter.Core.Write, Store.Reader == Adapter.Reader,
    Pool.Work == Adapter.Core.Work, Pool.Done == Adapter.Core.Done
{
    /// The maximum time for which work in flight continues after the process was told to stop.
    ///
    /// The whole process must exit within 2 seconds (`ServiceProcess.stopTimeout`).
    static var finishTimeout: Duration { .milliseconds(1700) }

    /// The pause between two questions whether a failover of the store's server may lose commits.
    static var replicationInterval: Duration { .seconds(60) }

    private let context: ServiceContext
    private let client: BusClient
    private let adapter: Adapter
    private var engine: Engine<Adapter.Core, Store, Pool>
    private let failedBatches: Counter
    private let batchDuration: Histogram
    private var registration: RegistrationWatch
    private var stopBy: ContinuousClock.Instant?
    /// The standby settings of a service with a store; nil for other services.
    private let standby: StandbySettings?
    private var peers: PeerWatch
    private let peerTopics: String
    private let ownHealth: Topic
    private let activeSince = Instant.now
    /// The problem of the replication of the store's server; nil if there is none.
    private var replicationProblem: InstanceRole.Problem?
    private var nextReplicationLook = ContinuousClock.now
    /// The role that was last passed to `BusClient.setRole`; nil if none was.
    ///
    /// Only this loop sets the role once it runs, so an equal role need not be set again.
    private var reportedRole: InstanceRole?

    init(
        _ context: ServiceContext,
        _ client: BusClient,
        _ parts: EngineParts<Adapter, Store, Pool>,
        _ standby: StandbySettings?
    ) {
        self.context = context
        self.client = client
        self.standby = standby
        peers = PeerWatch(
            service: context.service,
            own: context.instance,
            expectedStandbys: standby?.expectedStandbys ?? 0,
            now: .now
        )
        peerTopics = PeerWatch.healthTopicPrefix(of: context.service)
        ownHealth = .health(context.service, context.instance)
        adapter = parts.adapter
        engine = Engine(store: parts.store, pool: parts.pool)
        failedBatches = context.metrics.counter("store.failedBatches")
        registration = RegistrationWatch(context)
        batchDuration = context.metrics.histogram("engine.batchDuration")
    }

    /// Runs until the process stops; throws if the service cannot continue.
    mutating func run() throws {
        defer {
            adapter.finish()
            engine.store.close()
        }
        do {
            try engine.open(setup: adapter.setup)
        } catch {
            throw error.reason
        }
        // The state of a large store takes long to load, and its start to commit: a process that stops begins neither.
        if context.stop.isStopped { return }
        try reportRole()
        while true {
            let due = engine.nextWake(after: .now)
            let until = if let due, let stopBy { min(due, stopBy) } else { due ?? stopBy }
            let batch = client.nextBatch(maximum: Adapter.Core.batchLimit, until: until)
            for input in batch { try note(input) }
            if noteStop() { engine.requestStop() }
            let inputs = translate(batch)
            // A batch of only such inputs as the heartbeats of this instance gives the engine nothing to do.
            if inputs.isEmpty, !batch.isEmpty, stopBy == nil, !(due.map { $0 <= .now } ?? false) {
                try reportRole()
                continue
            }
            let begun = ContinuousClock.now
            try process(inputs)
            if !inputs.isEmpty { batchDuration.observe(.now - begun) }
            try reportRole()
            guard let stopBy else { continue }
            if engine.isFinished { return }
            if .now >= stopBy {
                context.log.warning("The service stopped before its work in flight had finished.")
                return
            }
        }
    }

    /// Returns the core's inputs for a batch of inputs from the bus.
    ///
    /// Inputs that the core does not need are left out. If `standby` is not nil, the health messages of this service's
    /// instances are also left out, because only the loop uses them.
    private func translate(_ batch: [BusInput]) -> [Adapter.Core.Input] {
        var inputs: [Adapter.Core.Input] = []
        // A closure over `self` would copy the loop, with the engine and its core, for each element.
        for input in batch where !isOfPeers(input) {
            if let input = adapter.input(input) { inputs.append(input) }
        }
        return inputs
    }

    /// Sets the time at which the loop must end, if the process was told to stop.
    ///
    /// Returns true if this call has set the time. The time is set only once.
    private mutating func noteStop() -> Bool {
        guard stopBy == nil, context.stop.isStopped else { return false }
        stopBy = .now + Self.finishTimeout
        return true
    }

    private mutating func process(_ inputs: [Adapter.Core.Input]) throws {
        let wasPaused = engine.pauseReason != nil
        let outcome: BatchOutcome<Adapter.Core.Input, Adapter.Core.Effect>
        do {
            outcome = try engine.process(inputs, setup: adapter.setup, now: .now)
        } catch {
            context.log.error("The store belongs to another process; this process ends.", [.error: "\(error)"])
            throw error.reason
        }
        let reader = engine.store.reader
        switch outcome {
        case .perform(let effects):
            if wasPaused {
                client.setHealth(.ready)
                adapter.resumed()
                context.log.notice("The store can be used again.")
            }
            try perform(effects, reading: reader)
            engine.store.maintain()
        case .paused(let effects, let refused):
            let isNew = engine.failedCommits > failedBatches.value
            if isNew { reportFailure() }
            for input in refused { adapter.refuse(input) }
            try perform(effects, reading: reader)
            if isNew { adapter.discarded() }
        }
    }

    /// Performs effects in order, as long as this process owns the store.
    ///
    /// Effects read the store through `reading`. The loop calls `confirmOwnership` before each effect. If this call
    /// returns false, or if the time to stop has passed, the remaining effects are dropped. If they include events, the
    /// next core publishes the last event of each stream again. Throws if the store belongs to another process.
    private mutating func perform(_ effects: [Adapter.Core.Effect], reading: Adapter.Reader) throws {
        guard !effects.isEmpty else { return }
        client.beginBatch()
        defer { client.endBatch() }
        for effect in effects {
            if noteStop() { engine.requestStop() }
            if let stopBy, .now >= stopBy { return }
            guard try confirmOwnership() else { return }
            adapter.perform(effect, reading: reading)
        }
    }

    /// Returns true if this process still owns the store.
    ///
    /// Returns false if the store does not answer; the service must then not act. Throws if the store belongs to
    /// another process. The function asks the store only in two cases, and returns true in all other cases:
    ///
    /// - `always` is true.
    /// - `StandbySettings.waits` is true, and the time `Ownership.trustedUntil` has passed.
    private mutating func confirmOwnership(always: Bool = false) throws -> Bool {
        guard always || standby?.waits == true && engine.needsConfirmation(now: .now) else { return true }
        let isConfirmed: Bool
        do {
            isConfirmed = try engine.confirmOwnership(now: .now)
        } catch {
            context.log.error("The store belongs to another process; this process ends.", [.error: "\(error)"])
            throw error.reason
        }
        guard !isConfirmed else { return true }
        reportFailure()
        adapter.discarded()
        return false
    }

    private mutating func reportFailure() {
        engine.extendPause(after: .now)
        failedBatches.increment()
        let reason = engine.pauseReason.map { "\($0)" } ?? ""
        context.log.error(
            "Changes could not be committed to the store; the service reads the store again.",
            [.error: reason]
        )
        client.setHealth(.degraded, message: "The store cannot be used: \(reason)")
    }

    private mutating func note(_ input: BusInput) throws {
        registration.note(input)
        switch input {
        case .ready where adapter.isReadyWhenSubscribed:
            client.setHealth(.ready)
            context.announceReady()
        case .stopped(let error):
            if let error { throw error }
            throw CancellationError()
        case .message(let topic, let frames) where topic != ownHealth && isOfPeers(input):
            notePeer(frames.first ?? Data())
        default: break
        }
    }

    // MARK: Roles

    /// Returns a Boolean value that indicates whether an input is a health message of an instance of this service.
    private func isOfPeers(_ input: BusInput) -> Bool {
        guard standby != nil, case .message(let topic, _) = input else { return false }
        return topic.text.hasPrefix(peerTopics)
    }

    private mutating func notePeer(_ json: Data) {
        guard let event = try? WireJSON.decode(Event<Health>.self, from: json),
            let instance = event.subject.flatMap(RequestTarget.init)?.instance
        else {
            context.metrics.counter("malformed.messages").increment()
            return
        }
        peers.hear(event.data, of: instance, now: .now)
    }

    /// Sets the role that heartbeats report: this instance is active, with its current term.
    ///
    /// The term changes when the store's server changes. Throws `SupersededInstance` if another instance has a higher
    /// term, even if the store still belongs to this instance.
    private mutating func reportRole() throws {
        guard let standby, let ownership = engine.store.ownership else { return }
        peers.forget(now: .now)
        if peers.superior(to: ownership.term) != nil {
            // This call throws if the store was taken over. It does not throw if this process is connected to a former
            // primary, whose store still names this process as its owner.
            guard try confirmOwnership(always: true), let current = engine.store.ownership else { return }
            if let superior = peers.superior(to: current.term) {
                context.log.error(
                    "Another instance of this service has taken over; this instance ends.",
                    [.instance: superior.instance.rawValue, .term: superior.term.rawValue]
                )
                throw SupersededInstance(
                    service: context.service,
                    instance: superior.instance,
                    term: superior.term
                )
            }
        }
        lookAtReplication(standby)
        let digest = context.configurationDigest.value
        let role = InstanceRole(
            .active,
            term: ownership.term,
            since: activeSince,
            trustedUntil: standby.waits ? ownership.trustedUntil : nil,
            configurationDigest: digest,
            problem: peers.problem(configuration: digest, now: .now) ?? replicationProblem
        )
        guard role != reportedRole else { return }
        reportedRole = role
        client.setRole(role)
    }

    /// Asks the store once a minute whether a failover of its server may lose commits.
    private mutating func lookAtReplication(_ standby: StandbySettings) {
        guard standby.waits, .now >= nextReplicationLook else { return }
        nextReplicationLook = .now + Self.replicationInterval
        replicationProblem =
            engine.store.failoverMayLoseCommits
            ? InstanceRole.Problem(
                "a failover of PostgreSQL may lose commits, because synchronous_standby_names is empty; "
                    + "set synchronous_mode in Patroni, or synchronous_standby_names",
                isAlarm: false
            ) : nil
    }
}
