// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

extension Database {
    /// Copies the database of a file into that of another, as it is at one moment, while others read and write both.
    ///
    /// What the destination held is gone at once or, on an error, not at all; whoever has it open sees the copy with its
    /// next transaction. Where there is no destination it is made.
    public static func copy(from source: String, to destination: String) throws(StorageError) {
        try DatabaseFolder.create(for: destination)
        try SQLiteCopy.copy(from: source, to: destination)
    }

    /// Opens a database that must be there, whatever its schema.
    public static func open(
        existing path: String,
        busyTimeout: Duration = defaultBusyTimeout
    ) throws(StorageError) -> Database {
        try Database(opening: path, busyTimeout: busyTimeout)
    }

    /// Throws where the file is damaged: its pages and indexes are read once.
    public func checkIntegrity() throws(StorageError) {
        let lines = try integrityReport()
        guard lines == ["ok"] else {
            throw StorageError(kind: .corrupt, message: lines.prefix(3).joined(separator: "; "), path: path)
        }
    }
}
