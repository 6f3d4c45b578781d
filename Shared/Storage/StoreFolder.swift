// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import Foundation

/// The folder with the databases of the services, one file for each.
public struct StoreFolder: Sendable, Hashable {
    public let path: String

    public init(_ path: String) { self.path = path }

    /// Returns the name of a service's database within the folder.
    public static func fileName(of service: String) -> String { service + ".sqlite" }

    /// Returns the path of a service's database.
    public func database(of service: String) -> String { "\(path)/\(Self.fileName(of: service))" }

    private static let damagedSuffix = ".damaged"

    private static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }
}

extension StoreFolder: StorePlace {
    var needsSteps: Bool { false }

    /// Returns a Boolean value that indicates whether a service has a database in this folder.
    func holds(_ service: String) -> Bool { Self.exists(database(of: service)) }

    /// Copies a consistent state of a service's database to a new file, even while the service uses the database.
    func backUp(_ service: String, to file: String) throws(StorageError) {
        try Database.copy(from: database(of: service), to: file)
    }

    // MARK: Restore

    /// Replaces a service's database with a copy in one transaction, even while the service uses the database.
    ///
    /// `copy` must have been prepared with `StoreCopy.prepare`. A process that has the database open finds another
    /// owner in its next transaction. A damaged database file is renamed first. Returns the new path of the damaged
    /// file; nil if the file was not damaged.
    func restore(_ service: String, from copy: String) throws -> String? {
        let database = database(of: service)
        let isDamaged = try holds(service) && (present(service) == nil || !isIntact(database))
        let aside = isDamaged ? try setAside(database) : nil
        try Database.copy(from: copy, to: database)
        return aside
    }

    /// Returns the schema version and the owner's token of a service's database.
    ///
    /// Returns nil if the database is missing or damaged.
    func present(_ service: String) throws -> (schemaVersion: Int, token: Int64)? {
        guard holds(service) else { return nil }
        do {
            let database = try Database.open(existing: database(of: service))
            let present = (schemaVersion: try database.schemaVersion(), token: try StoreCopy.token(in: database))
            // `close` must not wait for a process that is writing: nothing was written here, so the log need not be
            // emptied.
            database.setBusyTimeout(.zero)
            try database.close()
            return present
        } catch let error as StorageError where error.isDamage {
            return nil
        }
    }

    private func isIntact(_ path: String) throws -> Bool {
        do {
            let database = try Database.open(existing: path)
            database.setBusyTimeout(.zero)
            let report = try database.integrityReport()
            try database.close()
            return report == ["ok"]
        } catch {
            guard error.isDamage else { throw error }
            return false
        }
    }

    /// Renames a damaged database and its log, so that they can be examined; returns the new path of the database.
    ///
    /// The rename is necessary because a restore cannot overwrite a damaged database. A process that has the database
    /// open detects that the file was renamed.
    private func setAside(_ database: String) throws -> String {
        var target = database + Self.damagedSuffix
        var number = 1
        while Self.exists(target) {
            number += 1
            target = "\(database)\(Self.damagedSuffix)-\(number)"
        }
        // The log is renamed first: SQLite would take a log that remains for that of the new database.
        for suffix in ["-wal", "-shm", ""] where Self.exists(database + suffix) {
            try FileManager.default.moveItem(atPath: database + suffix, toPath: target + suffix)
        }
        return target
    }
}
