// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

extension Database {
    /// Copies a consistent state of a database into another file; other processes may read and write both meanwhile.
    ///
    /// The destination is replaced completely or, if there is an error, not at all. Processes that have the destination
    /// open see the copy with their next transaction. A missing destination is created.
    public static func copy(from source: String, to destination: String) throws(StorageError) {
        try DatabaseFolder.create(for: destination)
        try SQLiteCopy.copy(from: source, to: destination)
    }

    /// Opens an existing database, whatever its schema version is, and applies no migrations.
    public static func open(
        existing path: String,
        busyTimeout: Duration = defaultBusyTimeout
    ) throws(StorageError) -> Database {
        try Database(opening: path, busyTimeout: busyTimeout)
    }

    /// Reads all pages and indexes, and throws if the file is damaged.
    public func checkIntegrity() throws(StorageError) {
        let lines = try integrityReport()
        guard lines == ["ok"] else {
            throw StorageError(kind: .corrupt, message: lines.prefix(3).joined(separator: "; "), path: path)
        }
    }
}
