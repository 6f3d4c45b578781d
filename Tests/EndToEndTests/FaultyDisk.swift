// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import ServiceRuntime
import Storage
import TestSupport

/// The disk below a running service's store, which fails when a test says so.
///
/// The library DiskFault, preloaded, does it; a lock is a real one, of another connection.
struct FaultyDisk: Sendable {
    enum Fault: String, CaseIterable, Sendable {
        case full, readOnly, broken, locked

        /// The part of the error message that says what to do.
        var advice: String {
            switch self {
            case .full: "free some disk space"
            case .readOnly: "this user may write"
            case .broken: "check the disk"
            case .locked: "another process is using this database"
            }
        }
    }

    /// The database that is met.
    let store: URL
    private let toggle: URL

    /// The disk below one store in a folder: its database, its log, and what lies beside it under its name.
    init(below store: String, in folder: URL) {
        self.store = folder.appending(path: "store/\(store).sqlite")
        toggle = folder.appending(path: "fault")
    }

    /// The environment variables that the services need.
    var environment: [String: String] {
        [
            "LD_PRELOAD": SpawnedService.folder.appending(path: "libDiskFault.so").path,
            "DISK_FAULT_PREFIX": store.path, "DISK_FAULT_SWITCH": toggle.path,
            "TIDINGS_STORE": store.deletingLastPathComponent().path,
        ]
    }

    /// Runs `body` while the disk has a fault.
    func failing<Result>(_ fault: Fault, _ body: () async throws -> Result) async throws -> Result {
        guard fault == .locked else {
            // It comes at once and whole, and not half-written.
            try Data(fault.rawValue.utf8).write(to: toggle, options: .atomic)
            defer { try? FileManager.default.removeItem(at: toggle) }
            return try await body()
        }
        return try await locked(body)
    }

    private func locked<Result>(_ body: () async throws -> Result) async throws -> Result {
        let (isHeld, held) = AsyncStream<Void>.makeStream()
        let release = DispatchSemaphore(value: 0)
        let path = store.path
        async let holder: Void = ServiceThread.run(named: "lock") {
            defer { held.finish() }
            let database = try Database.open(existing: path)
            try database.transaction { _ in
                held.yield()
                release.wait()
            }
            try database.close()
        }
        for await _ in isHeld { break }
        let result: Result
        do {
            result = try await body()
        } catch {
            release.signal()
            throw error
        }
        release.signal()
        try await holder
        return result
    }

    /// Writes nonsense over all that the store and its log hold, and has everybody read it anew.
    func damage() throws {
        let database = try Database.open(existing: store.path)
        let version = try database.schemaVersion()
        try database.transaction { transaction in
            // What this writes makes the others forget what they have read. (A row that stays as it is would not be written.)
            try transaction.execute("PRAGMA user_version = \(version)")
            try Self.overwrite(store, from: 0)
            try Self.overwrite(URL(filePath: store.path + "-wal"), from: 32)
        }
    }

    /// Writes nonsense over a closed database, all of it but the page that says what it is.
    func damageInside() throws { try Self.overwrite(store, from: 4096) }

    private static func overwrite(_ file: URL, from start: Int) throws {
        let handle = try FileHandle(forUpdating: file)
        let end = Int(try handle.seekToEnd())
        guard end > start else { return try handle.close() }
        try handle.seek(toOffset: UInt64(start))
        try handle.write(contentsOf: Data(repeating: 0x5a, count: end - start))
        try handle.close()
    }
}
