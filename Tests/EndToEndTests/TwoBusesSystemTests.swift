// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import OriginSupport
import Testing

/// All services beside two buses, of which one after the other is killed, frozen and replaced.
@Suite(.serialized, .timeLimit(.minutes(3))) struct TwoBusesSystemTests {
    private static let widgets = (0..<6).map { "w\($0)" }

    @Test func nothingIsLostWhicheverBusIsKilledFrozenOrReplaced() async throws {
        try await withScriptedOrigin { origin in
            let sources = origin.serveChanging(Self.widgets)
            try await RunningSystem.with(sources, buses: 2) { system in
                try await IndependentReader.with(system.addresses) { reader in
                    try await reader.readNew(Self.widgets, "with both buses")
                    for (number, name) in ["bus", "bus2"].enumerated() {
                        try await system.kill(name)
                        try await reader.readNew(Self.widgets, "without \(name)")
                        try await system.startBus(number)
                        try await reader.readNew(Self.widgets, "with a new \(name)")
                    }
                    for name in ["bus", "bus2"] {
                        try system.signal(SIGSTOP, to: name)
                        try await reader.readNew(Self.widgets, "with \(name) frozen")
                        try system.signal(SIGCONT, to: name)
                        try await reader.readNew(Self.widgets, "with \(name) woken")
                    }
                    try await system.stop("fetcher")
                    try await reader.catchUp(Self.widgets, with: origin)
                    let record = reader.record
                    #expect(record.faults == [])
                    #expect(record.updates.allSatisfy { $0.first == $0.sequence || $0.first == 1 })
                    #expect(Self.widgets.allSatisfy { origin.maximumConcurrent("/\($0)") == 1 })
                }
            }
        }
    }
}
