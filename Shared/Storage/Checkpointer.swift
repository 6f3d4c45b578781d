// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import Dispatch
internal import Synchronization

/// Empties the write-ahead log of a database on its own connection and thread, so that no commit waits for it.
///
/// The writer continues while pages are moved into the file. It waits only for the last few, which came meanwhile,
/// because a log that always has new pages would never restart.
final class Checkpointer: Sendable {
    private struct State {
        var isRunning = false
        var isClosed = false
        var error: StorageError?
    }

    private let path: String
    private let busyTimeout: Duration
    private let queue = DispatchQueue(label: "checkpoint")
    private let state = Mutex(State())
    /// Opened with the first checkpoint; used on the queue only, as the lock proves.
    private let connection = Mutex<SQLiteConnection?>(nil)

    init(path: String, busyTimeout: Duration) {
        self.path = path
        self.busyTimeout = busyTimeout
    }

    /// Starts to empty the log, without waiting for it; returns false if that has already started.
    ///
    /// Throws the error of the last time, which lost nothing: the log is only longer than it should be.
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

    /// Waits for a checkpoint that is running, and closes the connection.
    func close() {
        state.withLock { $0.isClosed = true }
        queue.sync { connection.withLock { $0 = nil } }
    }

    /// Waits for a checkpoint that is running.
    func wait() {
        queue.sync {}
    }

    private func run() {
        let (path, busyTimeout) = (path, busyTimeout)
        let error = connection.withLock { connection -> StorageError? in
            do throws(StorageError) {
                if connection == nil { connection = try SQLiteConnection(path: path, busyTimeout: busyTimeout) }
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
