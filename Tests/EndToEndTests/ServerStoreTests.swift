// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import TestSupport
import Testing

/// Tests of the running system with its stores on a PostgreSQL server.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ServerStoreTests {
    private func name(of address: String) -> String { String(address.split(separator: "/").last ?? "") }

    @Test func nothingIsLostWhenConnectionsAndServicesEnd() async throws {
        let server = try PostgreSQLServer.running()
        let address = try server.makeDatabase()
        try await StoreScene.with(address: address) { scene in
            for round in 1...3 {
                try server.terminateConnections(to: name(of: address))
                try await scene.goOn("the end of its connections, round \(round)")
            }
            for service in ["cache", "notifier"] {
                try await scene.system.killAndStart(service)
                try await scene.goOn("a kill of the \(service)")
            }
            scene.expectThatNothingIsLost()
        }
    }

    @Test func aServerThatCrashesOrIsPromotedLosesNothingAndRepeatsNothing() async throws {
        let server = try PostgreSQLServer.start()
        defer { try? server.stop() }
        try await StoreScene.with(address: try server.makeDatabase()) { scene in
            try server.crash()
            try await scene.goOn("a crash of the server")
            scene.expectThatNothingIsLost()
            let last = scene.reader.record
            try server.promote()
            // On another timeline, nobody knows which commits are there: each widget goes on with a new number.
            try await scene.goOn(after: last, with: "start")
            try await scene.goOn("the promotion")
            let record = scene.reader.record
            #expect(record.faults == [])
            scene.expectNoNumberTwice()
        }
    }

    @Test func aBackupCanBeRestoredAndCopiedToAFolder() async throws {
        let address = try PostgreSQLServer.running().makeDatabase()
        try await StoreScene.with(address: address) { scene in
            let backup = try await scene.backup()
            try await scene.goOn("the backup")
            let last = scene.reader.record
            #expect(last.faults == [])
            try await scene.system.tidings(["restore", backup])
            for service in ["cache", "notifier"] { try await scene.system.expectTakenOver(service) }
            for service in ["cache", "notifier"] { try await scene.system.start(service) }
            try await scene.goOn(after: last, with: "start")
            try await scene.goOn("the restore")
            scene.expectNoNumberTwice()
            // The files of panels are not on the server, but in the working folder of the gateway.
            #expect(try await scene.system.tidings(["backup", backup]).contains("no panels were found in /"))
            let copy = scene.folder.appending(path: "copy").path
            try await scene.system.tidings(["store", "copy", copy])
            for service in ["cache", "notifier"] {
                #expect(FileManager.default.fileExists(atPath: "\(copy)/\(service).sqlite"))
            }
        }
    }
}
