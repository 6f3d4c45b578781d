// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Glibc
import OriginSupport
import ServiceRuntime
import TestSupport
import WidgetSchema

/// All services of `tidings up` over an origin of their own, for tests of what asks them.
struct ServedWidgets {
    let origin: ScriptedOrigin
    /// The configuration that all services have read.
    let file: URL
    /// The environment variables with which commands reach the bus.
    let environment: [String: String]
    private let up: SpawnedService

    private init(origin: ScriptedOrigin, file: URL, environment: [String: String], up: SpawnedService) {
        self.origin = origin
        self.file = file
        self.environment = environment
        self.up = up
    }

    /// Runs `body` while `tidings up` serves a feed for each path of the origin, and the widget `by-hand` for pushes.
    ///
    /// The interval is one hour, so that sources are fetched at the start and then only by command. Instead of a path,
    /// the configuration of a widget may be given in braces.
    static func with<Result>(
        _ widgets: [String: String],
        serving: (ScriptedOrigin) -> Void,
        _ body: (ServedWidgets) async throws -> Result
    ) async throws -> Result {
        try await withScriptedOrigin { origin in
            serving(origin)
            return try await withTemporaryFolder { folder in
                let entries = widgets.sorted { $0.key < $1.key }.map {
                    let feed = "{kind: feed, source: \"\(origin.url($0.value))\"}"
                    return "  \($0.key): \($0.value.hasPrefix("{") ? $0.value : feed)\n"
                }
                let configuration = """
                    fetching: {interval: 1h, minimumInterval: 0s, allowPrivateNetworks: true, hostSpacing: 0s}
                    destinations: {sink: {kind: command, command: [cat], widgets: [by-hand]}}
                    widgets:
                    \(entries.joined())  by-hand: {kind: feed, source: push}
                    """
                let file = folder.appending(path: "tidings.yml")
                try Data(configuration.utf8).write(to: file)
                let settings = [
                    "TIDINGS_CONFIG": file.path(), "TIDINGS_BUS": "tcp://127.0.0.1:0",
                    "TIDINGS_GATEWAY": "127.0.0.1:0", "TIDINGS_INSTANCE": "test",
                ]
                let up = try SpawnedService("tidings", ["up"], environment: settings)
                guard let bus = try await up.readiness().values["bus"] else { throw DidNotArrive("the bus's address") }
                let result = try await body(
                    ServedWidgets(origin: origin, file: file, environment: ["TIDINGS_BUS": bus], up: up)
                )
                up.signal(SIGTERM)
                _ = try await up.exitStatus()
                return result
            }
        }
    }

    func tidings(_ arguments: String..., input: String = "", with more: [String: String] = [:]) async throws
        -> CommandRun
    {
        try await CommandRun.tidings(arguments, input: Data(input.utf8), environment: environment.merging(more) { $1 })
    }

    /// Runs `tidings` with the words of a line.
    func tidings(line: String) async throws -> CommandRun {
        try await CommandRun.tidings(Usage.words(line), environment: environment)
    }

    /// Waits until the widget has had its first content; gives the sequence of that cycle.
    func firstContent(of widget: String) async throws -> UInt64 {
        let run = try await tidings("subscribe", "--since", "1", "--count", "1", "--json", "update/newData/\(widget)/")
        return try Self.events(run).first?.range?.sequence.number ?? 0
    }

    /// Ends a service at once; `tidings up` starts it again.
    func kill(_ service: String) throws { Glibc.kill(try process(service), SIGKILL) }

    /// Freezes a service, as a stuck disk or a debugger does.
    func freeze(_ service: String) throws { Glibc.kill(try process(service), SIGSTOP) }

    /// Sends a signal to `tidings up` itself.
    func signal(_ number: Int32) { up.signal(number) }

    /// Waits until one of them has written a line with a text on standard error; lines before it are dropped.
    func waitForError(_ text: String) async throws { _ = try await up.errorLine(containing: text) }

    /// The text that all services have written to standard error so far.
    var log: String { up.standardError }

    /// Returns the process that runs a service now; throws if there is none.
    func process(_ service: String) throws -> pid_t {
        guard let number = try ChildProcesses.names(of: up.processIdentifier)[service] else {
            throw DidNotArrive("a process of the service \(service)")
        }
        return number
    }

    static func events(_ run: CommandRun) throws -> [Event<Update>] {
        try run.output.split(separator: "\n").map { try WireJSON.decode(Event<Update>.self, from: Data($0.utf8)) }
    }
}
