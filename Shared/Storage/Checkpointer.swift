// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import Dispatch
internal import Locking

/// A checkpointer that empties the write-ahead log of a database on a separate thread and a separate connection.
///
/// Commits continue while pages are moved from the log into the database file. They wait only while the last few pages
/// are moved, because the log can be restarted only when all its pages are in the file.
final class Checkpointer: Sendable {
    private struct State {
        var isRunning = false
        var isClosed = false
        var error: StorageError?
    }

    /// The maximum time for which a checkpoint waits for readers; it keeps commits from beginning in this time.
    private static let busyTimeout: Duration = .milliseconds(100)
    private let path: String
    private let queue = DispatchQueue(label: "checkpoint")
    private let state = Lock(State())
    /// The connection, opened by the first checkpoint and used only on `queue`; nil before the first checkpoint and
    /// after `close`.
    private let connection = Lock<SQLiteConnection?>(nil)

    init(path: String) { self.path = path }

    /// Starts to empty the log; returns false if a checkpoint is already running or the checkpointer is closed.
    ///
    /// If the previous checkpoint failed, this method throws the error of that checkpoint and starts no new one. No
    /// data is lost in this case: the log is only longer than it should be.
    func start() throws(StorageError) -> Bool {
        let (isNew, error) = state.withLock { state in
            defer { state.error = nil }
            guard state.error == nil, !state.isRunning, !state.isClosed else { return (false, state.error) }
            state.isRunning = true
            return (true, nil)
        }
        if let error { throw error }
        if isNew { queue.async { self.run() } }
        return isNew
    }

    /// Waits for a running checkpoint, and closes the connection.
    func close() {
        state.withLock { $0.isClosed = true }
        queue.sync { connection.withLock { $0 = nil } }
    }

    /// Waits for a running checkpoint.
    func wait() {
        queue.sync {}
    }

    private func run() {
        let path = path
        let error = connection.withLock { connection -> StorageError? in
            do throws(StorageError) {
                if connection == nil { connection = try SQLiteConnection(path: path, busyTimeout: Self.busyTimeout) }
                try connection?.checkpoint()
                return nil
            } catch {
                return error
            }
        }
        state.withLock { state in
            state.isRunning = false
            state.error = error
        }
    }
}
