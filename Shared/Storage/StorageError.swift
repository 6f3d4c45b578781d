// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import ServiceEngine

/// An error of a store; its description names the store, the reason and, for some kinds, a remedy.
public struct StorageError: StoreProblem, Sendable, Equatable {
    /// The kinds of errors that callers distinguish.
    public enum Kind: String, Sendable, Equatable {
        /// Another process held the database's lock for longer than the busy timeout.
        case busy
        /// The disk is full, or the database has reached its page limit.
        case full
        case readOnly
        case corrupt
        case ioError
        case notADatabase
        /// The file or its folder could not be opened or created.
        case cannotOpen
        /// The database was written by a newer program.
        case newerSchema
        case constraint
        /// A column contained another type than requested.
        case wrongType
        /// An earlier error has already ended the transaction.
        case transactionEnded
        /// The server cannot be reached, or the connection to it was lost.
        case disconnected
        /// The server rejects the user, or the user lacks a right.
        case missingRights
        /// The version of the PostgreSQL server is too old, or the encoding of its database is not UTF-8.
        case unsuitable
        case other
    }

    /// The outcome of a transaction whose commit failed.
    public enum Outcome: String, Sendable, Equatable {
        /// No part of the transaction is in the database.
        case rolledBack
        /// The transaction may or may not be in the database; the data must be read again.
        case unknown
    }

    public var mayPass: Bool {
        switch kind {
        case .newerSchema, .missingRights, .unsuitable, .cannotOpen: false
        default: true
        }
    }

    /// A Boolean value that indicates whether the database file is damaged.
    var isDamage: Bool { kind == .corrupt || kind == .notADatabase }

    public var kind: Kind
    /// SQLite's extended result code; 0 for errors of this module and of PostgreSQL.
    public var code: Int32 = 0
    /// The SQLSTATE of a PostgreSQL server's error (PostgreSQL manual, appendix A); nil for other errors.
    public var sqlState: String?
    /// The operating system's error number; 0 if there is none.
    public var systemErrorNumber: Int32 = 0
    public var message: String
    /// The database file, or the server's address without a password.
    public var path: String
    /// The SQL statement that failed; nil if no single statement caused the error.
    public var sql: String?
    /// The outcome of a failed commit; nil for other errors.
    public var outcome: Outcome?

    static func newerSchema(_ version: Int, known: Int, path: String) -> StorageError {
        StorageError(
            kind: .newerSchema,
            message:
                "the database has schema version \(version), but this program supports only versions up to \(known): "
                + "use the newer program, or restore a backup that was made before the newer program was first started",
            path: path
        )
    }
}

extension StorageError: CustomStringConvertible {
    public var description: String {
        var text = "\(path): \(message) (\(kind.rawValue)"
        if code != 0 { text += ", SQLite code \(code)" }
        if let sqlState { text += ", SQLSTATE \(sqlState)" }
        if systemErrorNumber != 0 { text += ", errno \(systemErrorNumber)" }
        text += ")"
        if let sql { text += "; statement: \(sql.prefix(Self.longestStatementShown))" }
        if let outcome { text += "; the transaction's outcome is \(outcome == .unknown ? "unknown" : "rolled back")" }
        if let remedy { text += "; \(remedy)" }
        return text
    }

    /// The maximum length of an SQL statement in an error message, in characters; longer statements are cut.
    private static let longestStatementShown = 200

    /// The remedy that the description suggests to its reader; nil if there is none.
    private var remedy: String? {
        switch kind {
        case .busy:
            "another process is using this database: stop that process, or set a different store for this process"
        case .full: "free some disk space"
        case .readOnly, .cannotOpen: "check the path, and that this user may write the file and its folder"
        case .corrupt, .notADatabase: "restore a backup, or move the file away to start afresh"
        case .ioError: "check the disk and the system's log"
        case .disconnected: "check that the server runs, and that the store's address is right"
        case .missingRights: "allow this user to log in, and grant it CREATE on the schema of its tables"
        case .unsuitable, .newerSchema, .constraint, .wrongType, .transactionEnded, .other: nil
        }
    }
}
