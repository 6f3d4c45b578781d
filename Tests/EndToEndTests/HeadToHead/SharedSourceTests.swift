// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import MessageBus
import OriginSupport
import TestSupport
import Testing
import WidgetSchema

/// Head-to-head cases 12, 13, 17 and 18: who waits for whom, who shares what, and who missed what.
@Suite("Head to head: sharing", .serialized, .timeLimit(.minutes(3))) struct SharedSourceTests {
    private static let feed = rss("Post")

    @Test("12: nine fast widgets do not wait for a slow one")
    func slowBesideFast() async throws {
        try await withScriptedOrigin { slow in
            try await withScriptedOrigin { origin in
                slow.serve("/slow", body: Self.feed)
                slow.hold("/slow")
                var sources = ["slow": slow.url("/slow")]
                for number in 0..<9 {
                    origin.serve("/\(number)", body: Self.feed)
                    sources["fast-\(number)"] = origin.url("/\(number)")
                }
                try await RunningSystem.read(sources, fetching: ["leaseDuration": "30s"]) { system, reader in
                    try await reader.read("the fast ones, while the slow one is held") { record in
                        (0..<9).allSatisfy { record.last("fast-\($0)")?.outcome == "notModified" }
                    }
                    #expect(reader.record.updates.allSatisfy { $0.widget != "slow" || $0.cause == "start" })
                    slow.release("/slow")
                    try await reader.read("the slow one") { $0.last("slow")?.outcome == "notModified" }
                }
            }
        }
    }

    @Test("13: three widgets and three subscribers of one address are one request")
    func oneRequest() async throws {
        try await withScriptedOrigin { origin in
            origin.serve("/feed", body: Self.feed)
            let url = origin.url("/feed")
            let sources = [
                "a": url, "b": url, "c": "{kind: feed, source: \"\(url)\", rows: {collapsed: 1, expanded: 2}}",
            ]
            try await RunningSystem.with(sources, fetching: ["interval": "1h", "minimumInterval": "1h"]) { system in
                try await IndependentReader.with(system.address) { first in
                    try await IndependentReader.with(system.address) { second in
                        try await IndependentReader.with(system.address) { third in
                            for reader in [first, second, third] {
                                try await reader.read("all three") { record in
                                    ["a", "b", "c"].allSatisfy { record.hasNewData($0) }
                                }
                            }
                        }
                    }
                }
            }
            #expect(origin.requestCount == 1)
        }
    }

    @Test func widgetsOfDifferentKindsAndOptionsOnOneSourceAreOneRequest() async throws {
        try await withScriptedOrigin { origin in
            origin.serve("/facts", body: "{\"city\": \"Oslo\", \"rows\": [{\"name\": \"a\"}, {\"name\": \"b\"}]}")
            let url = origin.url("/facts")
            let sources = [
                "all": "{kind: keyValue, source: \"\(url)\"}",
                "city": "{kind: keyValue, source: \"\(url)\", values: {City: /city}}",
                "rows": "{kind: json, source: \"\(url)\", items: {list: /rows, title: /name}}",
                "feed": "{kind: feed, source: \"\(url)\"}",
            ]
            try await RunningSystem.read(sources, fetching: ["interval": "1h", "minimumInterval": "1h"]) {
                system,
                reader in
                try await reader.read("all four") { record in
                    ["all", "city", "rows"].allSatisfy { record.hasNewData($0) }
                        && record.last("feed")?.failure["class"] == "malformed"
                }
            }
            #expect(origin.requestCount == 1)
        }
    }

    @Test(
        "17: who comes late gets the last state of all at once, and who missed hundreds of updates the kept ones in order"
    )
    func lateAndAway() async throws {
        try await withScriptedOrigin { origin in
            for name in ["a", "b"] { origin.serve("/\(name)", body: Self.feed) }
            let sources = ["a": origin.url("/a"), "b": origin.url("/b")]
            let fetching = ["interval": "1h", "minimumInterval": "1h"]
            try await RunningSystem.read(sources, fetching: fetching) { system, away in
                try await away.read("both") { record in ["a", "b"].allSatisfy { record.hasNewData($0) } }
                let seen = away.record.last["a"] ?? 0
                // It does not read on meanwhile.
                let last = try await Self.toggle("a", times: TestExtent.of(200, nightly: 1000), system)
                try await Self.lateReader(system, last)
                try await IndependentReader.with(system.address) { back in
                    try await back.read("all that is kept") { $0.last["a"] == last }
                    let updates = back.record.updates.filter { $0.widget == "a" }
                    // The updates before the kept ones are one range; the kept ones follow one by one.
                    #expect(updates.first?.first == 1)
                    #expect((updates.first?.sequence ?? 0) > seen)
                    #expect(updates.dropFirst().allSatisfy { $0.first == $0.sequence })
                    #expect((2...64).contains(updates.count))
                    #expect(back.record.faults == [])
                }
            }
        }
    }

    /// Changes the state of a widget again and again; gives the number of the last cycle.
    private static func toggle(_ widget: String, times: Int, _ system: RunningSystem) async throws -> UInt64 {
        let id = try #require(WidgetID(rawValue: widget))
        return try await withBusClient(BusConfiguration(address: system.address)) { client in
            var last: UInt64 = 0
            for counter in 1...times {
                let command = Command.setExpanded(counter % 2 == 1)
                let request = CommandRequest(client: "t", counter: UInt64(counter), widget: id, command: command)
                last = try await client.ask(RequestTarget(.cache), request, deadline: .seconds(20)).result.sequence
                    .number
            }
            return last
        }
    }

    /// Checks that a late reader receives the last update of each widget with one request.
    private static func lateReader(_ system: RunningSystem, _ last: UInt64) async throws {
        try await IndependentReader.with(system.address) { reader in
            try await reader.read("the last states") { $0.last["a"] == last && $0.last["b"] != nil }
        }
        let records = try await system.ask(.notifier, SnapshotRequest<Update>()).result.records
        let states = Dictionary(records.map { ($0.subject ?? "", $0.range?.sequence.number) }) { $1 }
        #expect(Set(states.keys) == ["a", "b"])
        #expect(states["a"] == last)
        #expect(records.allSatisfy { !$0.data.displays.isEmpty })
    }

    @Test("18: a restart of the notifier makes nothing new of unchanged rows")
    func notifierRestart() async throws {
        try await RunningSystem.read(feed: Self.feed, of: "w") { origin, system, reader in
            try await reader.read("the first") { $0.last("w")?.outcome == "notModified" }
            for round in 0..<4 {
                if round % 2 == 0 {
                    try await system.kill("notifier")
                } else {
                    try await system.stop("notifier")
                }
                try await system.start("notifier")
                let before = reader.record.count("w")
                try await reader.read("it goes on") { $0.count("w") >= before + 5 }
            }
            #expect(reader.record.updates.count { $0.result == "newData" } == 1)
        }
    }
}
