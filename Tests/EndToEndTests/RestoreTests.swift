// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import TestSupport
import Testing

/// Stores that are put back, by `tidings restore` or by hand: no number is used twice, and everybody goes on.
@Suite(.serialized, .timeLimit(.minutes(3))) struct RestoreTests {
    /// The ways in which a person may put the cache's store back.
    enum Hand: String, CaseIterable, Sendable {
        /// Another file in its place, without a mark.
        case replaced
        /// The same file with the old bytes.
        case overwritten
        /// The same file and its mark with their old bytes and old modification dates, which the notifier notices.
        case overwrittenWithItsMark
        /// The store without its write-ahead log, which contained the latest commits.
        case logRemoved
    }

    /// Returns a mark with another time; 20 digits each are the commits, the milliseconds since 1970, and the inode.
    private static func mark(_ bytes: Data, as then: Date) throws -> Data {
        let digits = 20
        try #require(bytes.count == 3 * digits)
        let time = String(format: "%020lld", Int64(then.timeIntervalSince1970 * 1000))
        return bytes.prefix(digits) + Data(time.utf8) + bytes.suffix(digits)
    }

    @Test func aBackupThatIsRestoredWhileEverythingRunsGoesOnWithNumbersThatWereNeverUsed() async throws {
        try await StoreScene.with { scene in
            let backup = try await scene.backup()
            try await scene.goOn("the backup")
            let before = scene.reader.record
            #expect(before.faults == [])
            try await scene.system.tidings(["restore", backup])
            for service in ["cache", "notifier"] { try await scene.system.expectTakenOver(service) }
            let last = scene.reader.record
            for service in ["cache", "notifier"] { try await scene.system.start(service) }
            try await scene.goOn(after: last, with: "start")
            try await scene.system.wait(for: "The store was restored; ", inLogOf: "cache")
            try await scene.goOn("the restore")
            let record = scene.reader.record
            for widget in StoreScene.widgets {
                let start = try #require(
                    record.updates.dropFirst(last.updates.count).first { $0.widget == widget && $0.cause == "start" }
                )
                #expect(start.sequence > (last.last[widget] ?? 0))
                // Whoever has seen more than the backup knows joins it by its range.
                #expect(start.first <= (last.last[widget] ?? 0) + 1)
            }
            // The range of the restore is the only one that goes back behind what was seen. What layout knows still from
            // before, the notifier decides a second time: alike, at another moment.
            let expected = ["overlaps", "changed", "came with other bytes"]
            #expect(record.faults.filter { fault in !expected.contains { fault.contains($0) } } == [])
            let afterwards = record.updates.dropFirst(last.updates.count).filter { $0.cause != "start" }
            #expect(afterwards.allSatisfy { $0.first == $0.sequence })
        }
    }

    @Test func aChangeOfTheOwnerIsNoRestore() async throws {
        try await StoreScene.with { scene in
            try await scene.system.stop("cache")
            let files = try FileManager.default.contentsOfDirectory(
                at: scene.disk.store.deletingLastPathComponent(),
                includingPropertiesForKeys: nil
            )
            let count = scene.reader.record.updates.count
            // As Kubernetes does for `fsGroup`, also if nothing changes. The mark is older than its tolerance then.
            let mark = scene.disk.store.path + ".mark"
            let then = try Self.mark(try Data(contentsOf: URL(filePath: mark)), as: Date(timeIntervalSinceNow: -3600))
            try then.write(to: URL(filePath: mark))
            let date = Date(timeIntervalSinceNow: -3600)
            try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: mark)
            for file in files { try #require(chown(file.path, getuid(), getgid()) == 0) }
            try await scene.system.start("cache")
            try await scene.goOn("the change of the owner")
            #expect(!scene.reader.record.updates.dropFirst(count).contains { $0.cause == "start" })
        }
    }

    @Test(arguments: Hand.allCases)
    func aStoreThatIsPutBackByHandIsNoticed(_ hand: Hand) async throws {
        try await StoreScene.with { scene in
            let store = scene.disk.store
            let copy = scene.folder.appending(path: "copy.sqlite")
            try await scene.system.stop("cache")
            let mark = URL(filePath: store.path + ".mark")
            let anHourAgo = Date(timeIntervalSinceNow: -3600)
            let oldMark = try Self.mark(try Data(contentsOf: mark), as: anHourAgo)
            try FileManager.default.copyItem(at: store, to: copy)
            try await scene.system.start("cache")
            try await scene.goOn("the copy")
            switch hand {
            case .replaced:
                try await scene.system.stop("cache")
                // Also without the mark beside it.
                try FileManager.default.removeItem(at: mark)
                guard rename(copy.path, store.path) == 0 else { throw DidNotArrive("the copy in the store's place") }
            case .overwritten:
                try await scene.system.stop("cache")
                try Data(contentsOf: copy).write(to: store)
            case .overwrittenWithItsMark:
                try await scene.system.stop("cache")
                for (file, bytes) in [(store, try Data(contentsOf: copy)), (mark, oldMark)] {
                    try bytes.write(to: file)
                    try FileManager.default.setAttributes([.modificationDate: anHourAgo], ofItemAtPath: file.path)
                }
            case .logRemoved:
                try await scene.system.kill("cache")
                try FileManager.default.removeItem(atPath: store.path + "-wal")
            }
            let last = scene.reader.record
            try await scene.system.start("cache")
            try await scene.goOn(after: last, with: "start")
            try await scene.goOn("the copy was put back")
            let record = scene.reader.record
            // The notifier knows what it has said, so its ranges tile.
            #expect(record.faults == [])
            for widget in StoreScene.widgets {
                let next = record.updates.dropFirst(last.updates.count).first {
                    $0.widget == widget && $0.cause == "start"
                }
                #expect((next?.sequence ?? 0) > (last.last[widget] ?? 0))
            }
        }
    }
}
