// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Glibc
import Storage

/// The stores of a folder: those that a backup holds.
enum Stores {
    /// The cache's first: what the notifier knows beyond it does no harm, the other way round would be asked for.
    static let names = ["cache.sqlite", "notifier.sqlite"]
    /// Beside the cache's store: how many commits it has seen.
    ///
    /// A store that knows of fewer gives its widgets new numbers.
    static let markSuffix = ".mark"
    static let markDigits = 20

    /// Copies the stores of a folder, while services use them, into one archive; gives the names of those that are there.
    static func backUp(_ folder: String, to file: OutputFile) throws -> [String] {
        let present = names.filter { FileManager.default.fileExists(atPath: "\(folder)/\($0)") }
        guard !present.isEmpty else { return [] }
        // A FIFO or a device has no room beside it.
        return try withScratch(in: file.folder ?? NSTemporaryDirectory()) { scratch in
            for name in present { try Database.copy(from: "\(folder)/\(name)", to: "\(scratch)/\(name)") }
            try file.write { sink in try TapeArchive.write(present.map { ($0, "\(scratch)/\($0)") }, to: sink) }
            return present
        }
    }

    /// Puts the stores of an archive into a folder, also while services use it: they notice and start anew.
    ///
    /// Everything is checked before anything is replaced.
    ///
    /// A store there that is damaged is set aside. Gives the names of the stores, and what was set aside.
    static func restore(_ input: FileHandle, into folder: String) throws -> (names: [String], setAside: [String]) {
        let first = try TapeArchive.readFirstHeader(from: input)
        let isNew = !FileManager.default.fileExists(atPath: folder)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        // An empty folder is not left behind; one with a store in it cannot be removed this way.
        defer { if isNew { rmdir(folder) } }
        return try withScratch(in: folder) { scratch in
            let found = try TapeArchive.extract(Set(names), after: first, from: input, into: scratch)
            guard !found.isEmpty else { throw TapeArchive.Fault(description: "there is no store in it") }
            for name in found {
                let copy = try Database.open(existing: "\(scratch)/\(name)")
                try copy.checkIntegrity()
                let version = try copy.schemaVersion()
                var owner: Int64 = 0
                if let present = try Self.present("\(folder)/\(name)") {
                    guard present.version >= version else {
                        throw TapeArchive.Fault(
                            description: "\(name) was written by a newer version (schema \(version)) than the one here"
                        )
                    }
                    owner = present.owner
                }
                // Whoever has the store open must find somebody else's token in the very moment of the restore.
                let token = max(owner, try Self.owner(of: copy)) + takenOver
                _ = try copy.transaction { transaction in
                    try transaction.execute("UPDATE owner SET token = $1 WHERE id = 1", [.integer(token)])
                }
                try copy.close()
            }
            var aside: [String] = []
            for name in names where found.contains(name) {
                let live = "\(folder)/\(name)"
                if name == names[0] { try mark(live) }
                if FileManager.default.fileExists(atPath: live), try present(live) == nil {
                    aside.append(try setAside(live))
                }
                try Database.copy(from: "\(scratch)/\(name)", to: live)
            }
            return (names.filter(found.contains), aside)
        }
    }

    /// What a store says of itself; nil where there is none, or none that can be read.
    private static func present(_ store: String) throws -> (version: Int, owner: Int64)? {
        guard FileManager.default.fileExists(atPath: store) else { return nil }
        do {
            let database = try Database.open(existing: store)
            let present = (version: try database.schemaVersion(), owner: try Self.owner(of: database))
            try database.close()
            return present
        } catch let error as StorageError where error.kind == .corrupt || error.kind == .notADatabase {
            return nil
        }
    }

    /// Renames a damaged store, with its log: nothing can be copied into it, and somebody may want to look at it.
    ///
    /// Whoever has it open notices that its place is taken. Gives the new name.
    private static func setAside(_ store: String) throws -> String {
        var target = store + damagedSuffix
        var number = 1
        while FileManager.default.fileExists(atPath: target) {
            number += 1
            target = "\(store)\(damagedSuffix)-\(number)"
        }
        // The log first: beside another database it would be taken for that one's.
        for suffix in ["-wal", "-shm", ""] where FileManager.default.fileExists(atPath: store + suffix) {
            try FileManager.default.moveItem(atPath: store + suffix, toPath: target + suffix)
        }
        return target
    }

    private static let damagedSuffix = ".damaged"

    /// More than the instances that can take the store over while it is restored.
    private static let takenOver: Int64 = 1000

    private static func owner(of database: Database) throws -> Int64 {
        try database.query("SELECT token FROM owner WHERE id = 1") { try $0.integer(0) }.first ?? 0
    }

    /// Notes that the store has seen more commits than any backup knows of.
    private static func mark(_ store: String) throws {
        let path = store + markSuffix
        let old = (try? String(contentsOfFile: path, encoding: .utf8)).flatMap { Int64($0.prefix(markDigits)) } ?? 0
        let inStore =
            (try? Database.open(existing: store)).flatMap { database in
                try? database.query("SELECT commits FROM owner WHERE id = 1") { try $0.integer(0) }.first
            } ?? 0
        let text = String(max(old, inStore) + restoreStep)
        let padded = String(repeating: "0", count: max(0, markDigits - text.count)) + text
        try padded.write(toFile: path, atomically: false, encoding: .utf8)
    }

    /// Beyond all commits of a backup that is restored where there was no store.
    private static let restoreStep: Int64 = 1 << 40

    /// Runs `body` with a folder of its own in `parent`, which is removed afterwards.
    private static func withScratch<Result>(in parent: String, _ body: (String) throws -> Result) throws -> Result {
        let scratch = "\(parent)/.tidings-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: scratch,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700]
        )
        defer { try? FileManager.default.removeItem(atPath: scratch) }
        return try body(scratch)
    }
}
