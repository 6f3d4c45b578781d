// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import CommandOptions
internal import Configuration
internal import MessageBus
internal import ServiceRuntime
internal import WidgetSchema

/// The service that runs the bus for the lifetime of its process.
struct BusService: Service {
    static let memory = Option(
        "memory",
        value: "MIB",
        help: "The memory in MiB at which the bus exits; 0 for no limit (default: TIDINGS_BUS_MEMORY, else "
            + "\(BusLimits.memory >> 20))."
    )

    static let subscriptions = Option(
        "subscriptions",
        value: "NUMBER",
        help: "The maximum number of subscriptions of one connection (default: TIDINGS_BUS_SUBSCRIPTIONS, else "
            + "\(BusLimits.subscriptions))."
    )

    static let subscriptionsOfAll = Option(
        "all-subscriptions",
        value: "NUMBER",
        help: "The maximum number of subscriptions of all connections (default: TIDINGS_BUS_ALL_SUBSCRIPTIONS, "
            + "else \(BusLimits.subscriptionsOfAll))."
    )

    let context: ServiceContext
    let configuration: BusServerConfiguration

    /// Returns the address at which a bus listens.
    ///
    /// Throws if `text` names two buses; such a text is valid only for the other services.
    static func ownAddress(_ text: String) throws -> BusAddress {
        let addresses = try BusAddresses(text)
        guard !addresses.hasSeveral else {
            throw UsageError(
                command: ServiceName.bus.rawValue,
                problem: "a bus listens at one address, but \(addresses.all.count) are configured; set "
                    + "\(EnvironmentVariable.bus.name) to the address of this bus, or let 'tidings up' start both"
            )
        }
        return addresses.first
    }

    func run() async throws {
        let server = try await BusServer.start(configuration)
        context.announceReady([
            "publish": server.address.publish.description,
            "subscribe": server.address.subscribe.description,
            "request": server.address.request.description,
        ])
        context.stop.onStop { server.stop() }
        try await server.ended()
    }
}
