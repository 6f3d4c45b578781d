// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// What the store refused, where, and what can be done.
public struct StorageError: Error, Sendable, Equatable {
    /// The kinds that callers tell apart.
    public enum Kind: String, Sendable, Equatable {
        /// Somebody else held the database for longer than the busy timeout.
        case busy
        /// The disk, or the database's page limit, is full.
        case full
        case readOnly
        case corrupt
        case ioError
        case notADatabase
        /// The file or its folder could not be opened or made.
        case cannotOpen
        /// The database was written by a newer program.
        case newerSchema
        case constraint
        /// A column held another type than was asked for.
        case wrongType
        /// Something before in the transaction failed and ended it.
        case transactionEnded
        case other
    }

    /// How a transaction ended whose commit was refused.
    public enum Outcome: String, Sendable, Equatable {
        /// Nothing of it is in the database.
        case rolledBack
        /// It may come to light after a restart: what is true is what is read from the database then.
        case unknown
    }

    public var kind: Kind
    /// The engine's extended result code; 0 where this module itself refused.
    public var code: Int32
    /// The operating system's error number behind it, or 0.
    public var systemErrorNumber: Int32
    public var message: String
    /// The database file.
    public var path: String
    /// The statement, where there was one.
    public var sql: String?
    /// Set when the commit was refused.
    public var outcome: Outcome?

    public init(
        kind: Kind,
        code: Int32 = 0,
        systemErrorNumber: Int32 = 0,
        message: String,
        path: String,
        sql: String? = nil,
        outcome: Outcome? = nil
    ) {
        self.kind = kind
        self.code = code
        self.systemErrorNumber = systemErrorNumber
        self.message = message
        self.path = path
        self.sql = sql
        self.outcome = outcome
    }

    /// Whether the same transaction can succeed later without a change to program or database.
    public var isRetriable: Bool {
        kind == .busy || kind == .full
    }
}

extension StorageError: CustomStringConvertible {
    public var description: String {
        var text = "\(path): \(message) (\(kind.rawValue)"
        if code != 0 { text += ", SQLite code \(code)" }
        if systemErrorNumber != 0 { text += ", errno \(systemErrorNumber)" }
        text += ")"
        if let sql { text += "; statement: \(sql.prefix(Self.longestStatementShown))" }
        if let outcome { text += "; the transaction's outcome is \(outcome == .unknown ? "unknown" : "rolled back")" }
        if let advice { text += "; \(advice)" }
        return text
    }

    /// A statement in a message is cut after so many characters.
    private static let longestStatementShown = 200

    /// What a person can do about it.
    private var advice: String? {
        switch kind {
        case .busy: "another process is using this database: stop it, or give this one a database of its own"
        case .full: "free some disk space"
        case .readOnly, .cannotOpen: "check the path, and that this user may write the file and its folder"
        case .corrupt, .notADatabase: "restore a backup, or move the file away to start afresh"
        case .ioError: "check the disk and the system's log"
        case .newerSchema, .constraint, .wrongType, .transactionEnded, .other: nil
        }
    }
}
