// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import ServiceRuntime
import TestSupport
import Testing
import WidgetSchema

/// All services as processes of their own, from one configuration in a folder of their own.
final class RunningSystem {
    /// The default fetch interval of all sources.
    static let interval = "100ms"
    static let configurationFile = "tidings.yml"

    let address: BusAddress
    /// The addresses of all buses.
    let addresses: BusAddresses
    private let folder: URL
    private let environment: [String: String]
    private var children: [String: SpawnedService] = [:]

    private init(folder: URL, buses: [SpawnedService], addresses: BusAddresses, environment: [String: String]) {
        self.folder = folder
        self.environment = environment
        address = addresses.first
        self.addresses = addresses
        for (number, bus) in buses.enumerated() { children[Self.name(ofBus: number)] = bus }
    }

    private static func name(ofBus number: Int) -> String { number == 0 ? "bus" : "bus\(number + 1)" }

    /// Starts one of two buses again, at its address.
    func startBus(_ number: Int) async throws {
        let address = addresses.all[number].description
        try await start("bus", as: Self.name(ofBus: number), environment: ["TIDINGS_BUS": address])
    }

    /// Runs `body` beside all services, with a widget for each source, and stops them in order.
    ///
    /// A source is a URL, or what the configuration says of a widget in braces. `fetching` changes or joins what the
    /// configuration says there, `displays` takes the place of the default ones, and `more` has further keys. Further fetchers are
    /// called `fetcher2`, `fetcher3`, …; a second bus is `bus2`.
    static func with<Result>(
        _ sources: [String: String],
        fetching: [String: String] = [:],
        displays: [String: String] = [:],
        fetchers: Int = 1,
        buses: Int = 1,
        environment: [String: String] = [:],
        files: [String: String] = [:],
        more: String = "",
        _ body: (RunningSystem) async throws -> Result
    ) async throws -> Result {
        let folder = try makeTemporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, text) in files {
            let file = folder.appending(path: name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data(text.utf8).write(to: file)
        }
        try (configuration(sources, fetching, displays) + "\n" + more).write(
            to: folder.appending(path: "tidings.yml"),
            atomically: true,
            encoding: .utf8
        )
        var running: [SpawnedService] = []
        var addresses: [String] = []
        for _ in 0..<buses {
            let bus = try SpawnedService("bus", environment: ["TIDINGS_BUS": "tcp://127.0.0.1:0"])
            addresses.append(try BusAddress(spawned: try await bus.readiness()).description)
            running.append(bus)
        }
        let system = RunningSystem(
            folder: folder,
            buses: running,
            addresses: try BusAddresses(addresses.joined(separator: ",")),
            environment: environment
        )
        try await system.start(
            together: ["cache", "layout", "notifier"].map { ($0, $0) }
                + (1...fetchers).map { ("fetcher", $0 == 1 ? "fetcher" : "fetcher\($0)") }
        )
        let result: Result
        do { result = try await body(system) } catch { throw FailureWithLogs(error: error, logs: system.lastLines) }
        // Fetchers return their leases to the cache, and all say to a bus that they stop.
        let names = (0..<buses).map(name)
        try await system.stop(system.children.keys.filter { $0.hasPrefix("fetcher") })
        try await system.stop(system.children.keys.filter { !names.contains($0) })
        try await system.stop(names)
        return result
    }

    /// The error of a test with the last lines that the services wrote to standard error.
    private struct FailureWithLogs: Error, CustomStringConvertible {
        let error: any Error
        let logs: String

        var description: String { "\(error)\n\(logs)" }
    }

    /// The last lines of each service's log; each line begins with the name of the service.
    private var lastLines: String {
        children.sorted { $0.key < $1.key }.flatMap { name, child in
            child.standardError.split(separator: "\n").suffix(6).map { "\(name): \($0)" }
        }.joined(separator: "\n")
    }

    private static func configuration(
        _ sources: [String: String],
        _ fetching: [String: String],
        _ displays: [String: String] = [:]
    ) -> String {
        let widgets = sources.sorted { $0.key < $1.key }.map { id, source in
            source.hasPrefix("{") ? "  \(id): \(source)" : "  \(id): {kind: feed, source: \"\(source)\"}"
        }
        let defaults = [
            "interval": interval, "minimumInterval": interval, "allowPrivateNetworks": "true", "hostConcurrency": "16",
            "hostSpacing": "0s", "leaseDuration": "3s",
        ]
        let settings = defaults.merging(fetching) { _, given in given }.sorted { $0.key < $1.key }
            .map { "  \($0.key): \($0.value)" }
        let screens = displays.sorted { $0.key < $1.key }.map { "  \($0.key): {\($0.value)}" }
        return """
            store: ./data
            fetching:
            \(settings.joined(separator: "\n"))
            widgets:
            \(widgets.joined(separator: "\n"))
            \(screens.isEmpty ? "" : "displays:\n\(screens.joined(separator: "\n"))")
            """
    }

    /// Replaces the configuration; services that watch it take it.
    func configure(_ sources: [String: String]) throws {
        try Self.configuration(sources, [:]).write(
            to: folder.appending(path: "tidings.yml"),
            atomically: true,
            encoding: .utf8
        )
    }

    /// Returns the URL of a file beside the configuration.
    func file(_ name: String) -> URL { folder.appending(path: name) }

    /// The lines of `/proc/PID/status` that contain a process's memory.
    enum Memory: String {
        /// The most that it has had so far.
        case peak = "VmHWM:"
        case resident = "VmRSS:"
    }

    /// Returns the peak memory of a service, in bytes.
    func peakMemory(of name: String) throws -> Int { try memory(of: name, .peak) }

    /// Returns the memory of a service, in bytes.
    func memory(of name: String, _ kind: Memory) throws -> Int {
        let child = try child(name)
        let status = try String(contentsOfFile: "/proc/\(child.processIdentifier)/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix(kind.rawValue) }
        let kilobytes = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
        guard let kilobytes else { throw DidNotArrive("the kernel says nothing about the memory of \(name)") }
        return kilobytes * 1024
    }

    private func child(_ name: String) throws -> SpawnedService {
        guard let child = children[name] else { throw DidNotArrive("no service \(name) runs") }
        return child
    }

    func processIdentifier(of name: String) throws -> Int32 { try child(name).processIdentifier }

    /// Returns the text that a service has written to standard error.
    func log(of name: String) -> String { children[name]?.standardError ?? "" }

    /// Waits until a service has written a line with a text on standard error; lines before it are dropped.
    func wait(for text: String, inLogOf name: String) async throws {
        let child = try child(name)
        _ = try await child.errorLine(containing: text)
    }

    /// Starts an executable and waits until it is ready; `name` tells two of one kind apart.
    ///
    /// `own` joins what the environment of all has, and `configuration` is the file that takes the place of that of all.
    @discardableResult
    func start(
        _ executable: String,
        as name: String? = nil,
        configuration: String = RunningSystem.configurationFile,
        environment own: [String: String] = [:]
    ) async throws -> ReadinessLine {
        let child = try spawn(executable, as: name, configuration: configuration, environment: own)
        children[name ?? executable] = child
        return try await child.readiness()
    }

    /// Starts executables at the same time, each under a name, and waits until all are ready.
    private func start(together services: [(executable: String, name: String)]) async throws {
        for (executable, name) in services { children[name] = try spawn(executable, as: name) }
        for (_, name) in services { _ = try await children[name]?.readiness() }
    }

    /// Starts a gateway on a free port; returns the port.
    func startGateway(
        as name: String = "gateway",
        port: Int = 0,
        environment own: [String: String] = [:]
    ) async throws -> Int {
        let listen = ["TIDINGS_GATEWAY": "127.0.0.1:\(port)"]
        let line = try await start("gateway", as: name, environment: listen.merging(own) { _, own in own })
        guard let address = line.values["address"].flatMap(URL.init(string:)), let port = address.port else {
            throw DidNotArrive("the readiness line has no address: \(line)")
        }
        return port
    }

    private func spawn(
        _ executable: String,
        as name: String? = nil,
        configuration: String = RunningSystem.configurationFile,
        environment own: [String: String] = [:]
    ) throws -> SpawnedService {
        try SpawnedService(
            executable,
            ["--config", file(configuration).path],
            environment: environment.merging(
                [
                    "TIDINGS_BUS": addresses.description, "TIDINGS_INSTANCE": name ?? executable,
                    "TIDINGS_FILES": folder.appending(path: "files").path,
                ]
            ) { _, own in own }.merging(own) { _, own in own }
        )
    }

    /// Ends a service at once, without any word.
    func kill(_ name: String) async throws {
        let child = try child(name)
        children[name] = nil
        child.signal(SIGKILL)
        _ = try await child.exitStatus()
    }

    func killAndStart(_ name: String) async throws {
        try await kill(name)
        try await start(name)
    }

    /// Takes what a service has not synced, and ends it; it runs with the library PowerCut and has something to write.
    func cutPower(of name: String) async throws {
        let child = try child(name)
        children[name] = nil
        child.signal(SIGUSR2)
        let status = try await child.exitStatus()
        let errors = try await child.allEnded()
        guard status == -SIGKILL, errors.contains("power cut: ") else {
            throw DidNotArrive("\(name) ended with status \(status) and no power cut:\n\(errors)")
        }
    }

    func signal(_ number: Int32, to name: String) throws {
        let child = try child(name)
        child.signal(number)
    }

    /// Suspends a service, and waits until it is suspended.
    func freeze(_ name: String) throws {
        let child = try child(name)
        child.signal(SIGSTOP)
        var info = siginfo_t()
        guard waitid(P_PID, id_t(child.processIdentifier), &info, WSTOPPED | WNOWAIT) == 0 else {
            throw DidNotArrive("\(name) is not suspended: \(String(cString: strerror(errno)))")
        }
    }

    /// Waits until a service has ended by itself; gives its exit status and all that it said on standard error.
    func end(of name: String) async throws -> (status: Int32, log: String) {
        let child = try child(name)
        children[name] = nil
        return (try await child.exitStatus(), try await child.allEnded())
    }

    /// Waits until an instance has ended by itself, and expects that another process had taken its store over.
    func expectTakenOver(_ service: String, at location: SourceLocation = #_sourceLocation) async throws {
        let end = try await end(of: service)
        #expect(end.status == 1, sourceLocation: location)
        let isNamed = end.log.contains("belongs to another process of the \(service)")
        #expect(isNamed, "\(end.log)", sourceLocation: location)
    }

    /// Starts a service that cannot run; gives its exit status and what it said.
    func refusal(of executable: String) async throws -> (status: Int32, log: String) {
        let child = try spawn(executable)
        return (try await child.exitStatus(), try await child.allEnded())
    }

    /// Runs `tidings` with this system's configuration; it succeeds.
    ///
    /// Returns the text that it wrote to standard error.
    @discardableResult
    func tidings(_ arguments: [String]) async throws -> String {
        let (status, errors) = try await end(ofTidings: arguments)
        guard status == 0 else { throw DidNotArrive("\(arguments) ended with status \(status):\n\(errors)") }
        return errors
    }

    /// Runs `tidings` with this system's configuration; it ends with status 1.
    ///
    /// Returns the text that it wrote to standard error.
    func refusedTidings(_ arguments: [String]) async throws -> String {
        let (status, errors) = try await end(ofTidings: arguments)
        guard status == 1 else { throw DidNotArrive("\(arguments) ended with status \(status):\n\(errors)") }
        return errors
    }

    private func end(ofTidings arguments: [String]) async throws -> (status: Int32, errors: String) {
        let command = try SpawnedService(
            "tidings",
            arguments + ["--config", folder.appending(path: "tidings.yml").path],
            environment: environment
        )
        return (try await command.exitStatus(within: .seconds(30)), try await command.allEnded())
    }

    /// Ends a service in order: exit status 0 within its 2 seconds.
    func stop(_ name: String) async throws { try await stop([name]) }

    /// Ends services in order, all at the same time.
    private func stop(_ names: [String]) async throws {
        for name in names { try signal(SIGTERM, to: name) }
        for name in names {
            guard let child = children.removeValue(forKey: name) else { throw DidNotArrive("no service \(name) runs") }
            let status = try await child.exitStatus(within: .seconds(10))
            guard status == 0 else {
                throw DidNotArrive("\(name) ended with status \(status):\n\(child.standardError)")
            }
        }
    }
}
