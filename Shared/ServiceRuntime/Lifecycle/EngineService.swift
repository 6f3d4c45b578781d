// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
public import MessageBus
public import ServiceEngine
import WidgetSchema

/// The adapter, the store and the worker pool of a service; they are created on the service's thread.
public struct EngineParts<Adapter: ServiceAdapter, Store: ServiceStore, Pool: Workers>
where
    Store.State == Adapter.Core.State, Store.Write == Adapter.Core.Write, Store.Reader == Adapter.Reader,
    Pool.Work == Adapter.Core.Work, Pool.Done == Adapter.Core.Done
{
    public let adapter: Adapter
    public let store: Store
    public let pool: Pool

    public init(adapter: Adapter, store: Store, pool: Pool) {
        self.adapter = adapter
        self.store = store
        self.pool = pool
    }
}

/// A service that is connected to the bus and drives an engine on its own thread.
///
/// The inputs that have arrived form a batch. The thread runs the batch through the engine, and then performs the
/// effects. Inputs that arrive meanwhile belong to the next batch.
public struct EngineService<Adapter: ServiceAdapter, Store: ServiceStore, Pool: Workers>: Service
where
    Store.State == Adapter.Core.State, Store.Write == Adapter.Core.Write, Store.Reader == Adapter.Reader,
    Pool.Work == Adapter.Core.Work, Pool.Done == Adapter.Core.Done
{
    public typealias Parts = EngineParts<Adapter, Store, Pool>

    private let context: ServiceContext
    private let subscriptions: [String]
    private let publishes: Bool
    private let standby: StandbySettings?
    private let makeParts: @Sendable (BusClient) throws -> Parts

    /// Creates a service.
    ///
    /// `makeParts` is called on the service's thread when the connection to the bus is open. `standby` contains the
    /// standby settings of a service with a store; it is nil for other services.
    public init(
        _ context: ServiceContext,
        subscriptions: [String],
        publishes: Bool = true,
        standby: StandbySettings? = nil,
        makeParts: @escaping @Sendable (BusClient) throws -> Parts
    ) {
        self.context = context
        self.subscriptions = subscriptions
        self.publishes = publishes
        self.standby = standby
        self.makeParts = makeParts
    }

    public func run() async throws {
        let client = try await ServiceThread.run(named: "\(context.service.rawValue)-open") {
            try BusClient(configuration())
        }
        let wake = context.stop.onStop { client.post(StopRequested()) }
        defer { wake.cancel() }
        do {
            try await ServiceThread.run(named: context.service.rawValue) {
                var loop = EngineLoop(context, client, try makeParts(client), standby)
                try loop.run()
            }
        } catch is StandbyStopped {
            // The process was stopped while it waited as a standby, which is not an error.
        } catch {
            await client.closed()
            throw error
        }
        await client.closed()
    }

    private func configuration() throws -> BusConfiguration {
        var bus = BusConfiguration(
            addresses: try BusAddresses(context.settings.bus.address),
            registration: BusConfiguration.Registration(
                service: context.service,
                instance: context.instance,
                version: TidingsVersion.current,
                startedAt: .now
            ),
            subscriptions: subscriptions + (standby == nil ? [] : [PeerWatch.healthTopicPrefix(of: context.service)]),
            publishes: publishes
        )
        if standby?.waits == true {
            bus.role = InstanceRole(.standby, configurationDigest: context.configurationDigest.value)
        }
        bus.metrics = context.metrics
        bus.log = context.log
        return bus
    }
}

/// The input that wakes a service's thread when the process stops.
struct StopRequested: Sendable {}
