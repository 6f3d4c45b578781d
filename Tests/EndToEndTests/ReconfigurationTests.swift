// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import OriginSupport
import Testing
import WidgetSchema

/// A configuration that changes while everything runs.
@Suite(.serialized, .timeLimit(.minutes(3))) struct ReconfigurationTests {
    /// The ways in which the cache learns of a changed configuration.
    enum Way: String, CaseIterable, Sendable {
        /// The file was overwritten.
        case written
        /// Another file was put in its place.
        case replaced
        /// The file changed under a name that nobody watches, and SIGHUP tells the cache.
        case signalled
    }

    private static let slow = ["interval": "1h", "minimumInterval": "1h"]

    @Test(arguments: Way.allCases)
    func onlyTheWidgetsThatChangedGetACycle(_ way: Way) async throws {
        try await withScriptedOrigin { origin in
            for path in ["same", "changed", "removed", "added"] { origin.serveChanging("/\(path)") }
            let sources = origin.urls(["same", "changed", "removed"])
            try await RunningSystem.read(sources, fetching: Self.slow) { system, reader in
                try await reader.read("the first content of all") { record in
                    sources.keys.allSatisfy { record.hasNewData($0) }
                }
                let before = reader.record
                let text = try String(contentsOf: system.file("tidings.yml"), encoding: .utf8)
                var lines = text.split(separator: "\n").filter { !$0.contains("removed:") }.map(String.init)
                lines = lines.map { line in
                    line.contains("changed:")
                        ? line.replacingOccurrences(of: "}", with: ", rows: {collapsed: 2, expanded: 4}}") : line
                }
                lines.append("  added: {kind: feed, source: \"\(origin.url("/added"))\"}")
                try Self.change(system, to: lines.joined(separator: "\n"), way)
                try await reader.read("the last cycle of the removed") { $0.last("removed")?.cause == "removed" }
                try await reader.read("the change") { record in
                    record.updates.contains { $0.widget == "changed" && $0.cause == "configuration" }
                }
                try await reader.read("the new widget") { $0.hasNewData("added") }
                // The next update of each widget follows the updates that the change caused.
                for widget in ["same", "changed"] {
                    _ = try await ShownContent.send(.refresh, counter: 1, to: widget, system)
                    try await reader.read("the refresh of \(widget)") { record in
                        record.count(widget) > before.count(widget) + (widget == "changed" ? 1 : 0)
                    }
                }
                let news = reader.record.updates.dropFirst(before.updates.count)
                func causes(_ widget: String) -> [String] { news.filter { $0.widget == widget }.map(\.cause) }
                #expect(!causes("same").contains("configuration"))
                #expect(!causes("same").contains("start"))
                #expect(causes("changed").count { $0 == "configuration" } == 1)
                #expect(causes("removed") == ["removed"])
                #expect(causes("added").first == "start")
            }
            // Nothing was asked again, neither for the change's sake nor within its interval.
            #expect(origin.requests("/same").count == 1)
        }
    }

    private static func change(_ system: RunningSystem, to text: String, _ way: Way) throws {
        let file = system.file("tidings.yml")
        switch way {
        case .written: try Data(text.utf8).write(to: file)
        case .replaced: try Data(text.utf8).write(to: file, options: .atomic)
        case .signalled:
            // The same file under a name in another folder, which nobody watches.
            let folder = system.file("elsewhere")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let name = folder.appending(path: "linked.yml")
            try FileManager.default.linkItem(at: file, to: name)
            try Data(text.utf8).write(to: name)
            try system.signal(SIGHUP, to: "cache")
        }
    }

    @Test func aBrokenConfigurationIsRefusedWithItsPlaceAndTheOldOneStays() async throws {
        try await StoreScene.with { scene in
            let broken = "\n  broken: {kind: nothing}\n"
            try scene.system.editConfiguration { $0 + broken }
            try scene.system.signal(SIGHUP, to: "cache")
            try await scene.goOn("the broken configuration")
            try scene.system.editConfiguration { $0.replacing(broken, with: "\n  late: {kind: feed, source: push}\n") }
            try await scene.reader.read("the widget of the mended one") { $0.last("late") != nil }
            let log = scene.system.log(of: "cache")
            #expect(log.contains("The configuration has errors; the previous one stays in use."), "\(log)")
            #expect(log.contains("tidings.yml:"), "\(log)")
            scene.expectThatNothingIsLost()
        }
    }
}
