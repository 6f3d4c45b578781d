// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import CommandOptions
internal import Configuration
internal import MessageBus
internal import ServiceRuntime
internal import WidgetSchema

/// The service that runs the bus for the lifetime of its process.
struct BusService: Service {
    static let memoryOption = Option(
        "memory",
        value: "MIB",
        help: "The memory in MiB at which the bus exits; 0 for no limit (default: TIDINGS_BUS_MEMORY, else "
            + "\(BusLimits.memory >> 20))."
    )
    private static let memoryRange = 0...1_048_576

    let context: ServiceContext

    /// Returns the memory limit in bytes: from the option, or else from the environment, or else the default.
    static func memoryLimit(_ options: ParsedOptions, environment: [String: String]) throws(UsageError) -> Int {
        let stated = [options.value(memoryOption.name), environment[EnvironmentVariable.busMemory.name]]
        guard let text = stated.lazy.compactMap({ $0 }).first(where: { !$0.isEmpty }) else { return BusLimits.memory }
        guard let mebibytes = Int(text), memoryRange.contains(mebibytes) else {
            throw UsageError(
                command: ServiceName.bus.rawValue,
                problem: "--memory must be a whole number of MiB from \(memoryRange.lowerBound) to "
                    + "\(memoryRange.upperBound), not '\(text)'"
            )
        }
        return mebibytes << 20
    }

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

    let configuration: BusServerConfiguration

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
