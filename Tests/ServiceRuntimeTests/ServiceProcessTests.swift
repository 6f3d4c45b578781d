// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import Glibc
import ServiceRuntime
import TestSupport
import Testing
import WidgetSchema

@Suite(.timeLimit(.minutes(1))) struct ServiceProcessTests {
    /// Testing has an `ExitStatus` too.
    typealias Status = ServiceRuntime.ExitStatus

    private static let probe = "LifecycleProbe"

    @Test(arguments: [(SIGTERM, "terminated"), (SIGINT, "interrupted")])
    func aSignalRightAfterReadinessStopsInOrder(signal: Int32, reason: String) async throws {
        for _ in 0..<5 {
            try await ChildProcess.with(Self.probe) { child in
                let line = try #require(await child.firstLine())
                child.send(signal)
                let ready = try #require(ReadinessLine(line))
                #expect(ready.service == "gateway")
                #expect(ready.values["manner"] == "orderly")
                #expect(ready.instance.rawValue.hasSuffix("-\(child.number)"))
                #expect(await child.waitForEnd() == .exit(Status.done.rawValue))
                let errors = await child.remainingErrors()
                #expect(errors.contains { $0.hasSuffix("info gateway: Stopped. reason=\(reason)") }, "\(errors)")
            }
        }
    }

    @Test func theEndOfStandardInputStopsInOrder() async throws {
        try await ChildProcess.with(Self.probe) { child in
            _ = try #require(await child.firstLine())
            try child.closeInput()
            #expect(await child.waitForEnd() == .exit(Status.done.rawValue))
            #expect(await child.remainingErrors().contains { $0.hasSuffix("Stopped. reason=inputEnded") })
        }
    }

    @Test func withoutTheParentsRuleTheEndOfStandardInputMeansNothing() async throws {
        try await ChildProcess.with(Self.probe, environment: ["TIDINGS_STOP_WITH_INPUT": "0"]) { child in
            try child.closeInput()
            _ = try #require(await child.firstLine())
            child.send(SIGTERM)
            #expect(await child.waitForEnd() == .exit(Status.done.rawValue))
            #expect(await child.remainingErrors().contains { $0.hasSuffix("Stopped. reason=terminated") })
        }
    }

    @Test func hangupsAndBrokenPipesAreIgnored() async throws {
        try await ChildProcess.with(Self.probe) { child in
            _ = try #require(await child.firstLine())
            child.send(SIGHUP)
            child.send(SIGPIPE)
            child.send(SIGTERM)
            #expect(await child.waitForEnd() == .exit(Status.done.rawValue))
        }
    }

    @Test(arguments: ["stubborn", "hanging"])
    func whoeverDoesNotStopWithinTheDeadlineIsEndedAndSaysSo(manner: String) async throws {
        try await ChildProcess.with(Self.probe, ["--manner", manner]) { child in
            _ = try #require(await child.firstLine())
            let start = ContinuousClock.now
            child.send(SIGTERM)
            #expect(await child.waitForEnd() == .exit(Status.notInOrder.rawValue))
            #expect(.now - start >= ServiceProcess.stopDeadline)
            #expect(await child.remainingErrors().last?.contains("Did not stop in time") == true)
        }
    }

    @Test(arguments: ["stubborn", "hanging"])
    func aSecondSignalEndsAtOnce(manner: String) async throws {
        try await ChildProcess.with(Self.probe, ["--manner=\(manner)"]) { child in
            _ = try #require(await child.firstLine())
            child.send(SIGTERM)
            var last = ""
            for await line in child.errors {
                last = line
                if line.contains("Stopping.") { child.send(SIGTERM) }
            }
            #expect(last.contains("Ending at once: a second signal came."))
            #expect(await child.waitForEnd() == .exit(Status.notInOrder.rawValue))
        }
    }

    @Test(arguments: [("finishing", Status.done), ("failing", .failed), ("breaking", .failed)])
    func theStatusSaysHowTheServiceEnded(manner: String, status: Status) async throws {
        try await ChildProcess.with(Self.probe, ["--manner", manner]) { child in
            #expect(await child.waitForEnd() == .exit(status.rawValue))
            let errors = await child.remainingErrors()
            #expect(errors.contains { $0.contains("the probe was told to fail") } == (status == .failed))
        }
    }

    @Test func aWrongConfigurationStartsNothingAndNamesEveryPlace() async throws {
        let file = "bsu:\n  address: tcp://127.0.0.1:5555\nfetching:\n  interval: soon\n"
        try await ChildProcess.with(
            Self.probe,
            environment: ["TIDINGS_LOG_FORMAT": "jsn"],
            files: ["tidings.yml": file]
        ) { child in
            #expect(await child.firstLine() == nil)
            #expect(await child.waitForEnd() == .exit(Status.wrongUse.rawValue))
            #expect(
                await child.remainingErrors() == [
                    "tidings.yml:1:1: unknown key 'bsu' in the configuration; did you mean 'bus'?",
                    "tidings.yml:4:13: interval is a duration such as 500ms, 30s, 5m, 2h or 1d, not 'soon'",
                    "TIDINGS_LOG_FORMAT: is text or json, not 'jsn'; did you mean 'json'?",
                ]
            )
        }
    }

    @Test func aWrongCommandLineStartsNothing() async throws {
        try await ChildProcess.with(Self.probe, ["--confg", "x.yml"]) { child in
            #expect(await child.waitForEnd() == .exit(Status.wrongUse.rawValue))
            #expect(
                await child.remainingErrors() == [
                    "gateway: unknown option '--confg'; did you mean '--config'?", "Try 'gateway --help'.",
                ]
            )
        }
    }

    @Test func theVersionIsShown() async throws {
        try await ChildProcess.with(Self.probe, ["--version"]) { child in
            #expect(await child.firstLine() == "gateway \(TidingsVersion.current)")
            #expect(await child.waitForEnd() == .exit(Status.done.rawValue))
        }
    }

    @Test func theEnvironmentReachesTheService() async throws {
        let environment = [
            "TIDINGS_INSTANCE": "left.1", "TIDINGS_LOG_LEVEL": "warning", "TIDINGS_LOG_FORMAT": "json",
            "TIDINGS_STROE": "x",
        ]
        try await ChildProcess.with(Self.probe, environment: environment) { child in
            #expect(await child.firstLine() == "ready gateway left.1 level=warning manner=orderly")
            child.send(SIGTERM)
            #expect(await child.waitForEnd() == .exit(Status.done.rawValue))
            let errors = await child.remainingErrors()
            #expect(errors.count == 1)
            #expect(errors.first?.contains("TIDINGS_STROE is unknown; did you mean TIDINGS_STORE?") == true)
            #expect(errors.first?.hasPrefix(#"{"time":""#) == true)
        }
    }
}
