// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A database that `FencedDatabase` can guard.
protocol StoreEngine: AnyObject {
    /// The path of the file, or the address of the server without a password.
    var name: String { get }
    /// The number of connections so far; each new connection may be to another server.
    var connections: Int { get }
    /// A Boolean value that indicates whether the path of the open file now belongs to another file, or to none.
    var hasMoved: Bool { get }

    /// Reconnects if the connection is lost.
    func connect() throws(StorageError)

    /// Returns an identifier of the file or the server's timeline, which differs for a copy of the store; nil if it is
    /// unknown.
    func place() throws(StorageError) -> String?

    /// Returns the timeline of a place on a server; 0 for a file.
    func timeline(of place: String?) -> UInt32

    func hasTable(_ name: String) throws -> Bool

    /// Runs `body` in a transaction and commits it without waiting for a local disk, so that a power cut may undo it.
    func hastyTransaction(_ body: (borrowing Transaction) throws -> Void) throws

    /// Runs `body` in a transaction and commits it.
    func transaction<Result>(_ body: (borrowing Transaction) throws -> Result) throws -> Result

    /// Runs one reading statement outside of a transaction.
    func query<Value>(_ sql: String, _ values: [SQLValue], row: (borrowing Row) throws -> Value) throws -> [Value]

    func setBusyTimeout(_ timeout: Duration)

    func checkpointIfNeeded() throws(StorageError) -> Bool

    func close() throws(StorageError)
}
