// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
public import MessageBus
import Telemetry
public import WidgetSchema

/// What a service does with what has arrived.
///
/// It is made, used and finished on one thread of its own.
public protocol BatchHandler: AnyObject {
    /// Does all of the work that a batch and the moment ask for; the batch is empty where only a deadline passed.
    ///
    /// What cannot be understood is counted and told; nothing that arrives ends the service. It throws where the service
    /// must not go on: another process has taken over its store.
    func handle(_ batch: [BusInput], at now: Instant) throws

    /// When there is work without another input.
    var nextDeadline: Instant? { get }

    /// The process was told to stop: no new work from here on.
    func beginStop(at now: Instant)

    /// Whether nothing is left to do after `beginStop`.
    var isFinished: Bool { get }

    /// The last call: closes what is open.
    func finish()
}

extension BatchHandler {
    public func beginStop(at now: Instant) {}
    public var isFinished: Bool { true }
    public func finish() {}
}

/// A service that lives on the bus: drains what has arrived, at most so much, and handles it as one batch; the next batch
/// is what came meanwhile, without a timer.
public struct BatchService: Service {
    /// The most inputs of one batch.
    public static let batchSize = 512
    /// How long work that was begun may go on after the stop; the process has 2 seconds.
    public static let finishDeadline: Duration = .milliseconds(1700)

    private let context: ServiceContext
    private let subscriptions: [String]
    private let publishes: Bool
    private let makeHandler: @Sendable (BusClient) throws -> any BatchHandler

    /// A service with a handler that is made on the service's thread.
    public init(
        _ context: ServiceContext,
        subscriptions: [String],
        publishes: Bool = true,
        makeHandler: @escaping @Sendable (BusClient) throws -> any BatchHandler
    ) {
        self.context = context
        self.subscriptions = subscriptions
        self.publishes = publishes
        self.makeHandler = makeHandler
    }

    public func run() async throws {
        let client = try await ServiceThread.run(named: "\(context.service.rawValue)-open") {
            try BusClient(configuration())
        }
        let wake = context.stop.onStop { client.post(StopRequested()) }
        defer { wake.cancel() }
        do {
            try await ServiceThread.run(named: context.service.rawValue) { try loop(client) }
        } catch {
            await client.closed()
            throw error
        }
        await client.closed()
    }

    private func configuration() throws -> BusConfiguration {
        var bus = BusConfiguration(
            address: try BusAddress(context.configuration.bus.address),
            registration: BusConfiguration.Registration(
                service: context.service,
                instance: context.instance,
                version: TidingsVersion.current,
                startedAt: .now
            ),
            subscriptions: subscriptions,
            publishes: publishes
        )
        bus.metrics = context.metrics
        bus.log = context.log
        return bus
    }

    private func loop(_ client: BusClient) throws {
        let handler = try makeHandler(client)
        defer { handler.finish() }
        var stopBy: ContinuousClock.Instant?
        while true {
            let now = Instant.now
            let due = handler.nextDeadline.map { deadline in
                ContinuousClock.now + .milliseconds(max(0, deadline.milliseconds(since: now)))
            }
            let until = [due, stopBy].compactMap { $0 }.min()
            let batch = client.nextBatch(maximum: Self.batchSize, until: until)
            for input in batch { try note(input, client) }
            if context.stop.isStopped, stopBy == nil {
                stopBy = ContinuousClock.now + Self.finishDeadline
                handler.beginStop(at: .now)
            }
            try handler.handle(batch, at: .now)
            guard let stopBy else { continue }
            if handler.isFinished { return }
            if ContinuousClock.now >= stopBy {
                context.log.warning("Stopped before all that was begun had ended.")
                return
            }
        }
    }

    private func note(_ input: BusInput, _ client: BusClient) throws {
        switch input {
        case .ready:
            client.setHealth(.ready)
            context.announceReady()
        case .registrationRefused(let error):
            context.log.error("The bus refuses this instance.", [.reason: error.message])
        case .stopped(let error):
            if let error { throw error }
            throw CancellationError()
        default: break
        }
    }
}

/// Wakes a service's thread at the stop.
private struct StopRequested: Sendable {}
