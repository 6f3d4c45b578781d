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

    /// Returns a Boolean value that indicates whether a service has a database here.
    public func holds(_ service: String) -> Bool { Self.exists(database(of: service)) }

    /// Copies the database of a service, as it is at one moment, to a new file, while the service uses it.
    public func backUp(_ service: String, to file: String) throws(StorageError) {
        try Database.copy(from: database(of: service), to: file)
    }

    // MARK: Restore

    /// Checks a copy of a service's database, and prepares it to take the place of the one here.
    ///
    /// The copy gets a token that no running process has, and notes that it was restored. Throws if it is damaged, or
    /// newer than the database here.
    public func prepareRestore(of service: String, from copy: String) throws {
        let database = try Database.open(existing: copy)
        try database.checkIntegrity()
        let present = try present(service)
        if let present, try present.schemaVersion < database.schemaVersion() {
            throw StorageError(
                kind: .newerSchema,
                message:
                    "it was written by a newer version (schema \(try database.schemaVersion())) than the store here "
                    + "(schema \(present.schemaVersion)): start the newer version once",
                path: Self.fileName(of: service)
            )
        }
        let token = max(present?.token ?? 0, try Self.token(in: database)) + Self.restoreStep
        try database.transaction { transaction in
            let columns = try transaction.query("SELECT name FROM pragma_table_info('owner')") { try $0.text(0) }
            // Stores of earlier versions named the column otherwise, or had none.
            let place = ["place", "file"].first(where: columns.contains).map { ", \($0) = '\(OwnerRow.restoredPlace)'" }
            try transaction.execute("UPDATE owner SET token = $1\(place ?? "")", [.integer(token)])
        }
        try database.close()
    }

    /// Replaces a service's database by a prepared copy in one transaction, also while the service uses it.
    ///
    /// The process that has it open finds another owner with its next transaction. A database that is damaged is set
    /// aside; returns its new path.
    public func restore(_ service: String, from copy: String) throws -> String? {
        let database = database(of: service)
        let isDamaged = try holds(service) && present(service) == nil
        let aside = isDamaged ? try setAside(database) : nil
        try Database.copy(from: copy, to: database)
        return aside
    }

    /// Returns the schema version and the token of a service's database; nil if there is none, or none that can be read.
    private func present(_ service: String) throws -> (schemaVersion: Int, token: Int64)? {
        guard holds(service) else { return nil }
        do {
            let database = try Database.open(existing: database(of: service))
            let present = (schemaVersion: try database.schemaVersion(), token: try Self.token(in: database))
            try database.close()
            return present
        } catch let error as StorageError where error.kind == .corrupt || error.kind == .notADatabase {
            return nil
        }
    }

    /// Renames a damaged database with its log, for somebody may want to look at it, and returns the new path.
    ///
    /// Nothing can be copied into it. The process that has it open notices that its place is taken.
    private func setAside(_ database: String) throws -> String {
        var target = database + Self.damagedSuffix
        var number = 1
        while Self.exists(target) {
            number += 1
            target = "\(database)\(Self.damagedSuffix)-\(number)"
        }
        // The log first: beside another database it would be taken for that one's.
        for suffix in ["-wal", "-shm", ""] where Self.exists(database + suffix) {
            try FileManager.default.moveItem(atPath: database + suffix, toPath: target + suffix)
        }
        return target
    }

    private static let damagedSuffix = ".damaged"

    /// More than the number of processes that can take a store over while it is restored.
    private static let restoreStep: Int64 = 1000

    /// Returns the token of the owner, also from the store of an earlier version.
    private static func token(in database: Database) throws -> Int64 {
        try database.query("SELECT MAX(token) FROM owner") { try $0.optionalInteger(0) ?? 0 }.first ?? 0
    }

    private static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }
}
