// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import TestSupport
import Testing
import WidgetSchema

@testable import ServiceRuntime

@Suite(.timeLimit(.minutes(3))) struct ServiceProcessTests {
    /// Testing has an `ExitStatus` too.
    typealias Status = ServiceRuntime.ExitStatus

    private static let probe = "LifecycleProbe"

    /// Waits until a service has ended, and returns the lines of its standard error.
    private func errors(of child: SpawnedService) async throws -> [Substring] {
        try await child.allEnded().split(separator: "\n")
    }

    @Test(arguments: [(SIGTERM, "terminated"), (SIGINT, "interrupted")])
    func aSignalRightAfterReadinessStopsInOrder(signal: Int32, reason: String) async throws {
        for _ in 0..<5 {
            try await withSpawnedService(Self.probe) { (child: SpawnedService) async throws in
                let line = try #require(try await child.nextLine())
                child.signal(signal)
                let ready = try #require(ReadinessLine(line))
                #expect(ready.service == "gateway")
                #expect(ready.values["manner"] == "orderly")
                #expect(ready.instance.rawValue.hasSuffix("-\(child.processIdentifier)"))
                #expect(try await child.exitStatus() == Status.done.rawValue)
                let lines = try await errors(of: child)
                #expect(lines.contains { $0.hasSuffix("info gateway: Stopped. reason=\(reason)") }, "\(lines)")
            }
        }
    }

    @Test func theEndOfStandardInputStopsInOrder() async throws {
        try await withSpawnedService(Self.probe) { (child: SpawnedService) async throws in
            _ = try #require(try await child.nextLine())
            try child.closeInput()
            #expect(try await child.exitStatus() == Status.done.rawValue)
            #expect(try await errors(of: child).contains { $0.hasSuffix("Stopped. reason=inputEnded") })
        }
    }

    @Test func withoutTheParentsRuleTheEndOfStandardInputMeansNothing() async throws {
        try await withSpawnedService(Self.probe, environment: ["TIDINGS_STOP_WITH_INPUT": "0"]) {
            (child: SpawnedService) async throws in
            try child.closeInput()
            _ = try #require(try await child.nextLine())
            child.signal(SIGTERM)
            #expect(try await child.exitStatus() == Status.done.rawValue)
            #expect(try await errors(of: child).contains { $0.hasSuffix("Stopped. reason=terminated") })
        }
    }

    // The policy is set before other threads exist, so that all of them inherit it.
    @Test func allThreadsOfAServiceUseBatchScheduling() async throws {
        try await withSpawnedService(Self.probe) { (child: SpawnedService) async throws in
            _ = try #require(try await child.nextLine())
            let threads = try FileManager.default.contentsOfDirectory(
                atPath: "/proc/\(child.processIdentifier)/task"
            ).compactMap { pid_t($0) }
            #expect(threads.count > 1)
            // The result is -1 for a thread that has ended since.
            #expect(threads.map { sched_getscheduler($0) }.filter { $0 != ServiceThread.batchPolicy && $0 != -1 } == [])
            child.signal(SIGTERM)
            #expect(try await child.exitStatus() == Status.done.rawValue)
        }
    }

    @Test func hangupsAndBrokenPipesAreIgnored() async throws {
        try await withSpawnedService(Self.probe) { (child: SpawnedService) async throws in
            _ = try #require(try await child.nextLine())
            child.signal(SIGHUP)
            child.signal(SIGPIPE)
            child.signal(SIGTERM)
            #expect(try await child.exitStatus() == Status.done.rawValue)
        }
    }

    @Test(arguments: ["stubborn", "hanging"])
    func whoeverDoesNotStopWithinTheDeadlineIsEndedAndSaysSo(manner: String) async throws {
        try await withSpawnedService(Self.probe, ["--manner", manner]) { (child: SpawnedService) async throws in
            _ = try #require(try await child.nextLine())
            let start = ContinuousClock.now
            child.signal(SIGTERM)
            #expect(try await child.exitStatus() == Status.forced.rawValue)
            #expect(.now - start >= ServiceProcess.stopTimeout)
            #expect(try await errors(of: child).last?.contains("did not stop in time") == true)
        }
    }

    @Test(arguments: ["stubborn", "hanging"])
    func aSecondSignalEndsAtOnce(manner: String) async throws {
        try await withSpawnedService(Self.probe, ["--manner=\(manner)"]) { (child: SpawnedService) async throws in
            _ = try #require(try await child.nextLine())
            child.signal(SIGTERM)
            _ = try await child.errorLine(containing: "Stopping.")
            child.signal(SIGTERM)
            let last = try await errors(of: child).last
            #expect(last?.contains("Received a second signal; the process ends at once.") == true)
            #expect(try await child.exitStatus() == Status.forced.rawValue)
        }
    }

    @Test(arguments: [("finishing", Status.done), ("failing", .failed), ("breaking", .failed)])
    func theStatusSaysHowTheServiceEnded(manner: String, status: Status) async throws {
        try await withSpawnedService(Self.probe, ["--manner", manner]) { (child: SpawnedService) async throws in
            #expect(try await child.exitStatus() == status.rawValue)
            let lines = try await errors(of: child)
            #expect(lines.contains { $0.contains("the probe was told to fail") } == (status == .failed))
        }
    }

    @Test func aWrongConfigurationStartsNothingAndNamesEveryPlace() async throws {
        let file = "bsu:\n  address: tcp://127.0.0.1:5555\nfetching:\n  interval: soon\n"
        try await withSpawnedService(
            Self.probe,
            environment: ["TIDINGS_LOG_FORMAT": "jsn"],
            files: ["tidings.yml": file]
        ) { (child: SpawnedService) async throws in
            #expect(try await child.nextLine() == nil)
            #expect(try await child.exitStatus() == Status.wrongUse.rawValue)
            #expect(
                try await errors(of: child) == [
                    "tidings.yml:1:1: unknown key 'bsu' in the configuration; did you mean 'bus'?",
                    "tidings.yml:4:13: interval must be a duration such as 500ms, 30s, 5m, 2h or 1d, not 'soon'",
                    "TIDINGS_LOG_FORMAT: must be text or json, not 'jsn'; did you mean 'json'?",
                ]
            )
        }
    }

    @Test func aWrongCommandLineStartsNothing() async throws {
        try await withSpawnedService(Self.probe, ["--confg", "x.yml"]) { (child: SpawnedService) async throws in
            #expect(try await child.exitStatus() == Status.wrongUse.rawValue)
            #expect(
                try await errors(of: child) == [
                    "gateway: unknown option '--confg'; did you mean '--config'?", "Try 'gateway --help'.",
                ]
            )
        }
    }

    @Test func theVersionIsShown() async throws {
        try await withSpawnedService(Self.probe, ["--version"]) { (child: SpawnedService) async throws in
            #expect(try await child.nextLine() == "gateway \(TidingsVersion.current)")
            #expect(try await child.exitStatus() == Status.done.rawValue)
        }
    }

    @Test func theEnvironmentReachesTheService() async throws {
        let environment = [
            "TIDINGS_INSTANCE": "left.1", "TIDINGS_LOG_LEVEL": "warning", "TIDINGS_LOG_FORMAT": "json",
            "TIDINGS_STROE": "x",
        ]
        try await withSpawnedService(Self.probe, environment: environment) { (child: SpawnedService) async throws in
            #expect(try await child.nextLine() == "ready gateway left.1 level=warning manner=orderly")
            child.signal(SIGTERM)
            #expect(try await child.exitStatus() == Status.done.rawValue)
            let lines = try await errors(of: child)
            #expect(lines.count == 1)
            #expect(lines.first?.contains("TIDINGS_STROE is unknown; did you mean TIDINGS_STORE?") == true)
            #expect(lines.first?.hasPrefix(#"{"time":""#) == true)
        }
    }
}
