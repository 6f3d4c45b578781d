// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Storage
import TestSupport
import Testing

/// Backups of a running system that were damaged, or changed by somebody who knows how.
@Suite(.serialized, .timeLimit(.minutes(5))) struct HostileBackupTests {
    /// A change of an extracted backup, which gets new digests afterwards.
    private struct Change {
        var file = "cache.sqlite"
        var sql: String
        /// The part of the message that names the change.
        var named: String
    }

    // The checks of both stores find everything else: `StoreCheckTests`, `CacheStoreCheckTests`, `NotifierStoreCheckTests`.
    private static let changes = [
        Change(sql: "CREATE TABLE evil (a)", named: "cache.sqlite: the table 'evil' is foreign"),
        Change(sql: "UPDATE contents SET bytes = x'7b7d'", named: "of the table 'contents': the column contents.bytes"),
        Change(
            file: "notifier.sqlite",
            sql: "UPDATE widget SET digests = '[]'",
            named: "notifier.sqlite: row 1 of the table 'widget': the record of widget 'w"
        ),
        Change(sql: "PRAGMA user_version = 999", named: "cache.sqlite: it has schema version 999"),
    ]

    @Test func aBackupThatIsNotAsItWasMadeIsRefusedAndNothingIsChanged() async throws {
        try await StoreScene.with { scene in
            let backup = scene.folder.appending(path: "backup.tar")
            let changed = scene.folder.appending(path: "changed.tar")
            try await scene.system.tidings(["backup", backup.path])
            let bytes = try Data(contentsOf: backup)
            for change in Self.changes {
                try await Self.pack(change, of: backup, as: changed)
                let message = try await scene.system.refusedTidings(["restore", changed.path])
                let isNamed = message.contains(change.named)
                #expect(isNamed, "\(change.sql): \(message)")
                #expect(message.contains("nothing was changed"))
            }
            for service in ["cache", "notifier"] {
                try await Self.pack(nil, of: backup, as: changed, without: "\(service).sqlite")
                let message = try await scene.system.refusedTidings(["restore", changed.path])
                let isNamed = message.contains("does not contain '\(service).sqlite'")
                #expect(isNamed, "\(message)")
            }
            for seed in 0..<12 as Range<UInt64> {
                var random = SeededGenerator(seed: seed)
                var other = bytes
                for _ in 0..<20 {
                    let index = Int.random(in: other.indices, using: &random)
                    other[index] = bytes[index] ^ UInt8.random(in: 1...255, using: &random)
                }
                try other.write(to: changed)
                let message = try await scene.system.refusedTidings(["restore", changed.path])
                #expect(message.contains("nothing was changed"), "seed \(seed)")
            }
            // The services still own their stores, and nothing was repeated or skipped.
            try await scene.goOn("the refusals")
            scene.expectThatNothingIsLost()
            try await Self.pack(nil, of: backup, as: changed)
            try await scene.system.tidings(["restore", changed.path])
            for service in ["cache", "notifier"] { try await scene.system.expectTakenOver(service) }
        }
    }

    /// Extracts a backup, changes it, and packs it with new digests.
    private static func pack(
        _ change: Change?,
        of backup: URL,
        as result: URL,
        without missing: String = ""
    ) async throws {
        let folder = backup.deletingLastPathComponent().appending(path: "unpacked-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await shell("tar -xf '\(backup.path)'", in: folder)
        if let change {
            let database = try Database.open(existing: folder.appending(path: change.file).path)
            try database.transaction { transaction in try transaction.execute(change.sql) }
            try database.close()
        }
        try await shell(
            "rm -f '\(missing)' && sha256sum *.sqlite > SHA256SUMS && tar -cf '\(result.path)' *.sqlite SHA256SUMS",
            in: folder
        )
    }

    private static func shell(_ command: String, in folder: URL) async throws {
        try #require(try await EndedProgram.run(["bash", "-c", command], in: folder).status == 0, "\(command)")
    }
}
