// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import MessageBus
import ServiceRuntime
import TestSupport
import WidgetSchema

/// All services as processes of their own, from one configuration in a folder of their own.
final class RunningSystem {
    /// How often the demo of a test asks its origins.
    static let interval = "100ms"

    let address: BusAddress
    private let folder: URL
    private var children: [String: SpawnedService] = [:]

    private init(folder: URL, bus: SpawnedService, address: BusAddress) {
        self.folder = folder
        self.address = address
        children["bus"] = bus
    }

    /// Runs `body` beside all services, with a widget for each source, and stops them in order.
    static func with<Result>(
        _ sources: [String: String],
        _ body: (RunningSystem) async throws -> Result
    ) async throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tidings-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try configuration(sources).write(
            to: folder.appending(path: "tidings.yml"),
            atomically: true,
            encoding: .utf8
        )
        let bus = try SpawnedService("bus", environment: ["TIDINGS_BUS": "tcp://127.0.0.1:0"])
        let system = RunningSystem(
            folder: folder,
            bus: bus,
            address: try BusAddress(spawned: try await bus.readiness())
        )
        for service in ["cache", "layout", "notifier", "fetcher"] { try await system.start(service) }
        let result = try await body(system)
        for service in system.children.keys.sorted() where service != "bus" { try await system.stop(service) }
        try await system.stop("bus")
        return result
    }

    private static func configuration(_ sources: [String: String]) -> String {
        let widgets = sources.sorted { $0.key < $1.key }.map { "  \($0.key): {kind: feed, source: \"\($0.value)\"}" }
        return """
            store: ./data
            fetching:
              interval: \(interval)
              minimumInterval: \(interval)
              allowPrivateNetworks: true
              hostConcurrency: 16
              hostSpacing: 0s
              leaseDuration: 3s
            widgets:
            \(widgets.joined(separator: "\n"))
            """
    }

    /// Starts an executable and waits until it is ready; `name` tells two of one kind apart.
    func start(_ executable: String, as name: String? = nil) async throws {
        let child = try SpawnedService(
            executable,
            ["--config", folder.appending(path: "tidings.yml").path],
            environment: ["TIDINGS_BUS": address.description, "TIDINGS_INSTANCE": name ?? executable]
        )
        children[name ?? executable] = child
        _ = try await child.readiness()
    }

    /// Ends a service at once, without any word.
    func kill(_ name: String) async throws {
        guard let child = children.removeValue(forKey: name) else { throw DidNotArrive("no service \(name) runs") }
        child.signal(SIGKILL)
        _ = try await child.exitStatus()
    }

    /// Ends a service in order: exit status 0 within its 2 seconds.
    func stop(_ name: String) async throws {
        guard let child = children.removeValue(forKey: name) else { throw DidNotArrive("no service \(name) runs") }
        child.signal(SIGTERM)
        let status = try await child.exitStatus(within: .seconds(10))
        guard status == 0 else {
            throw DidNotArrive("\(name) ended with status \(status):\n\(child.standardError)")
        }
    }
}
