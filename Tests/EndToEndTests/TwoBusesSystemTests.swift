// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import OriginSupport
import ServiceRuntime
import TestSupport
import Testing
import WidgetSchema

/// All services beside two buses, of which one after the other is killed, frozen and replaced.
@Suite(.serialized, .timeLimit(.minutes(3))) struct TwoBusesSystemTests {
    private static let widgets = (0..<6).map { "w\($0)" }

    private static func goOn(_ reader: IndependentReader, _ what: String) async throws {
        let begun = Instant.now
        try await reader.read("all widgets went on \(what)") { record in
            let latest = record.updates.reversed().prefix { $0.time.map { $0 > begun } ?? true }
            return widgets.allSatisfy { widget in latest.count { $0.widget == widget } >= 4 }
        }
    }

    @Test func nothingIsLostWhicheverBusIsKilledFrozenOrReplaced() async throws {
        try await withScriptedOrigin { origin in
            let sources = origin.serveChanging(Self.widgets)
            try await RunningSystem.with(sources, buses: 2) { system in
                try await IndependentReader.with(system.addresses) { reader in
                    try await Self.goOn(reader, "with both buses")
                    for (number, name) in ["bus", "bus2"].enumerated() {
                        try await system.kill(name)
                        try await Self.goOn(reader, "without \(name)")
                        try await system.startBus(number)
                        try await Self.goOn(reader, "with a new \(name)")
                    }
                    for name in ["bus", "bus2"] {
                        try system.signal(SIGSTOP, to: name)
                        try await Self.goOn(reader, "with \(name) frozen")
                        try system.signal(SIGCONT, to: name)
                        try await Self.goOn(reader, "with \(name) woken")
                    }
                    try await system.stop("fetcher")
                    let requests = Self.widgets.map { origin.requests("/\($0)").count }
                    try await reader.read("an update for each request at the origin") { record in
                        zip(Self.widgets, requests).allSatisfy { widget, count in
                            record.updates.count { $0.widget == widget && $0.cause == "refresh" } == count
                        }
                    }
                    let record = reader.record
                    #expect(record.faults == [])
                    #expect(record.updates.allSatisfy { $0.first == $0.sequence || $0.first == 1 })
                    #expect(Self.widgets.allSatisfy { origin.maximumConcurrent("/\($0)") == 1 })
                }
            }
        }
    }
}
