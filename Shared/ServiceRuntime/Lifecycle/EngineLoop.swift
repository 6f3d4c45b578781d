// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import MessageBus
import ServiceEngine
import Telemetry
import WidgetSchema

/// The loop of a service's thread, which drives its engine.
struct EngineLoop<Adapter: ServiceAdapter, Store: ServiceStore, Pool: Workers>
where
    Store.State == Adapter.Core.State, Store.Write == Adapter.Core.Write, Store.Reader == Adapter.Reader,
    Pool.Work == Adapter.Core.Work, Pool.Done == Adapter.Core.Done
{
    /// The maximum time for which started work continues after the stop; the process has 2 seconds.
    static var finishDeadline: Duration { .milliseconds(1700) }

    private let context: ServiceContext
    private let client: BusClient
    private let adapter: Adapter
    private var engine: Engine<Adapter.Core, Store, Pool>
    private let failedBatches: Counter
    private let refusedRegistrations: Counter
    private let batchDuration: Histogram
    private var isRefused = false
    private var stopBy: ContinuousClock.Instant?

    init(_ context: ServiceContext, _ client: BusClient, _ parts: EngineParts<Adapter, Store, Pool>) {
        self.context = context
        self.client = client
        adapter = parts.adapter
        engine = Engine(store: parts.store, pool: parts.pool)
        failedBatches = context.metrics.counter("store.failedBatches")
        refusedRegistrations = context.metrics.counter("bus.refusedRegistrations")
        batchDuration = context.metrics.histogram("engine.batchDuration")
    }

    /// Returns when the process stops; throws if the service cannot continue.
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
        while true {
            let due = engine.nextWake(after: .now)
            let until = if let due, let stopBy { min(due, stopBy) } else { due ?? stopBy }
            let batch = client.nextBatch(maximum: Adapter.Core.batchLimit, until: until)
            for input in batch { try note(input) }
            if context.stop.isStopped, stopBy == nil {
                stopBy = .now + Self.finishDeadline
                engine.requestStop()
            }
            let inputs = batch.compactMap(adapter.input)
            let begun = ContinuousClock.now
            try process(inputs)
            if !inputs.isEmpty { batchDuration.observe(.now - begun) }
            guard let stopBy else { continue }
            if engine.isFinished { return }
            if .now >= stopBy {
                context.log.warning("Stopped before all that was begun had ended.")
                return
            }
        }
    }

    private mutating func process(_ inputs: [Adapter.Core.Input]) throws {
        let wasPaused = engine.pauseReason != nil
        let outcome: BatchOutcome<Adapter.Core.Input, Adapter.Core.Effect>
        do {
            outcome = try engine.process(inputs, setup: adapter.setup, now: .now)
        } catch {
            context.log.error("The store belongs to another process; this one ends.", [.error: "\(error)"])
            throw error.reason
        }
        let reader = engine.store.reader
        switch outcome {
        case .perform(let effects):
            if wasPaused {
                client.setHealth(.ready)
                context.log.notice("The store can be used again.")
            }
            for effect in effects { adapter.perform(effect, reading: reader) }
            engine.store.maintain()
        case .paused(let effects, let refused):
            let isNew = engine.failedCommits > failedBatches.value
            if isNew { reportFailure() }
            for effect in effects { adapter.perform(effect, reading: reader) }
            for input in refused { adapter.refuse(input) }
            if isNew { adapter.discarded() }
        }
    }

    private func reportFailure() {
        failedBatches.increment()
        let reason = engine.pauseReason.map { "\($0)" } ?? ""
        context.log.error("A batch could not be committed; the next one starts from the store.", [.error: reason])
        client.setHealth(.degraded, message: "The store cannot be used: \(reason)")
    }

    private mutating func note(_ input: BusInput) throws {
        switch input {
        case .ready:
            isRefused = false
            client.setHealth(.ready)
            context.announceReady()
        case .publisherConnected(again: true):
            isRefused = false
        case .registrationRefused(let error):
            // The client retries with each heartbeat, because the reason may be temporary.
            refusedRegistrations.increment()
            guard !isRefused else { return }
            isRefused = true
            context.log.error("The bus refuses this instance; it goes on asking.", [.reason: error.message])
        case .stopped(let error):
            if let error { throw error }
            throw CancellationError()
        default: break
        }
    }
}
