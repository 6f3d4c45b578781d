// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import TestSupport
import Testing
import WidgetSchema

@testable import Storage

/// Stores that cannot be used: it is said, what is there is served, and no committed cycle is lost.
@Suite(.serialized, .timeLimit(.minutes(5))) struct StorageFaultTests {
    private static let failed: Int32 = 1
    /// The exit status of a service whose store cannot be used now, but perhaps later.
    private static let unusableStore: Int32 = 4

    /// Each fault with one of the services; with both in `make nightly`.
    private static let faults: [(String, FaultyDisk.Fault)] = TestExtent.of(
        [("cache", .full), ("notifier", .readOnly), ("notifier", .broken), ("cache", .locked)],
        nightly: FaultyDisk.Fault.allCases.flatMap { [("cache", $0), ("notifier", $0)] }
    )

    @Test(arguments: faults)
    func aStoreThatCannotBeWrittenIsToldAndReadAndLosesNothing(
        of service: String,
        _ fault: FaultyDisk.Fault
    ) async throws {
        try await StoreScene.with(below: service) { scene in
            try await scene.withHealth(of: service) { health in
                try await scene.disk.failing(fault) {
                    let message = try await StoreScene.wait(for: .degraded, health)
                    #expect(message.contains(scene.disk.store.path))
                    #expect(message.contains(fault.advice), "\(message)")
                    // Longer than a try to write takes, so at every stage of it.
                    for _ in 0..<5 {
                        #expect(try await scene.widgetsServed(by: service) == StoreScene.widgets.count)
                        if service == "cache" { try await Self.expectThatACommandIsRefused(scene.system) }
                    }
                }
                _ = try await StoreScene.wait(for: .ready, health)
            }
            try await scene.goOn("\(fault)")
            try await scene.system.wait(for: fault.advice, inLogOf: service)
            try await scene.system.wait(for: "The store can be used again.", inLogOf: service)
            try await scene.system.killAndStart(service)
            try await scene.goOn("a kill after \(fault)")
            scene.expectThatNothingIsLost()
        }
    }

    private static func expectThatACommandIsRefused(_ system: RunningSystem) async throws {
        let id = try ShownContent.id(StoreScene.widgets[0])
        let request = CommandRequest(client: "test", counter: 1, widget: id, command: .refresh)
        await #expect(throws: RequestError.self) { try await system.ask(.cache, request, within: .milliseconds(300)) }
    }

    @Test(arguments: ["cache", "notifier"])
    func aDamagedStoreIsToldAndGoesOnFromABackup(of service: String) async throws {
        try await StoreScene.with(below: service) { scene in
            let backup = try await scene.backup()
            try await scene.goOn("the backup")
            let last = scene.reader.record
            try await scene.withHealth(of: service) { health in
                try scene.disk.damage()
                let message = try await StoreScene.wait(for: .degraded, health)
                #expect(message.contains(scene.disk.store.path))
                #expect(message.contains("restore a backup"), "\(message)")
            }
            try await scene.system.tidings(["restore", backup])
            for name in ["cache", "notifier"] {
                let end = try await scene.system.end(of: name)
                #expect(end.status == Self.failed)
                let reason = name == service ? "was replaced or removed" : "belongs to another"
                #expect(end.log.contains(reason), "\(end.log)")
            }
            #expect(FileManager.default.fileExists(atPath: scene.disk.store.path + ".damaged"))
            for name in ["cache", "notifier"] { try await scene.system.start(name) }
            try await scene.goOn(after: last, with: "start")
            try await scene.goOn("the restore")
            scene.expectNoNumberTwice()
        }
    }

    @Test(arguments: ["cache", "notifier"])
    func aStoreThatIsDamagedInsideIsRefusedAtTheStartAndCanBeRestored(of service: String) async throws {
        try await StoreScene.with(below: service) { scene in
            let backup = try await scene.backup()
            try await scene.system.stop(service)
            try scene.disk.damageInside()
            let refusal = try await scene.system.refusal(of: service)
            #expect(refusal.status == Self.unusableStore)
            #expect(refusal.log.contains(scene.disk.store.path))
            #expect(refusal.log.contains("restore a backup"), "\(refusal.log)")
            let last = scene.reader.record
            try await scene.system.tidings(["restore", backup])
            _ = try await scene.system.end(of: service == "cache" ? "notifier" : "cache")
            for name in ["cache", "notifier"] { try await scene.system.start(name) }
            try await scene.goOn(after: last, with: "start")
            try await scene.goOn("the restore")
        }
    }

    @Test(arguments: ["cache", "notifier"], FaultyDisk.Fault.allCases)
    func aServiceThatCannotTakeItsStoreOverSaysWhyAndEnds(_ service: String, _ fault: FaultyDisk.Fault) async throws {
        try await StoreScene.with(below: service) { scene in
            try await scene.system.kill(service)
            try await scene.disk.failing(fault) {
                let refusal = try await scene.system.refusal(of: service)
                #expect(refusal.status == Self.unusableStore)
                #expect(refusal.log.contains(scene.disk.store.path), "\(refusal.log)")
                #expect(refusal.log.contains(fault.advice), "\(refusal.log)")
            }
            try await scene.system.start(service)
            try await scene.goOn("\(fault)")
            scene.expectThatNothingIsLost()
        }
    }

    @Test(arguments: ["cache", "notifier"])
    func aStoreOfANewerProgramIsRefusedAndLeftAsItIs(of service: String) async throws {
        try await StoreScene.with(below: service) { scene in
            try await scene.system.stop(service)
            let database = try Database.open(existing: scene.disk.store.path)
            let version = try database.schemaVersion()
            try database.execute("PRAGMA user_version = 1000")
            try database.close()
            let bytes = try Data(contentsOf: scene.disk.store)
            let refusal = try await scene.system.refusal(of: service)
            #expect(refusal.status == Self.failed)
            #expect(refusal.log.contains(scene.disk.store.path))
            #expect(refusal.log.contains("version 1000"))
            #expect(refusal.log.contains("use the newer program"), "\(refusal.log)")
            #expect(try Data(contentsOf: scene.disk.store) == bytes)
            let again = try Database.open(existing: scene.disk.store.path)
            try again.execute("PRAGMA user_version = \(version)")
            try again.close()
            try await scene.system.start(service)
            try await scene.goOn("the right program")
            scene.expectThatNothingIsLost()
        }
    }
}
