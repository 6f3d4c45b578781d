// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import Glibc

/// A lock on a bus's folder for the lifetime of that bus.
///
/// Without the lock, a second bus that binds the same local sockets would silently take over from the first.
final class FolderLock: Sendable {
    static let fileName = "bus.lock"

    private let descriptor: Int32

    /// Locks the folder with the path `folder`, and creates it if it is missing.
    ///
    /// Throws `BusError.folder` if a running bus holds the lock, or if the folder cannot be created or written to.
    init(_ folder: String) throws(BusError) {
        if mkdir(folder, 0o700) == -1 && errno != EEXIST {
            throw BusError.folder(folder, problem: "cannot be created: \(String(cString: strerror(errno)))")
        }
        let path = "\(folder)/\(Self.fileName)"
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw BusError.folder(folder, problem: "cannot be written to: \(String(cString: strerror(errno)))")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            // The deinitializer runs, and closes the file.
            throw BusError.folder(folder, problem: "is used by a running bus; stop that bus, or use another folder")
        }
    }

    deinit {
        // The file is not removed. Otherwise two buses could hold a lock: one on the removed file, if it had already
        // opened it, and one on a new file.
        close(descriptor)
    }
}
