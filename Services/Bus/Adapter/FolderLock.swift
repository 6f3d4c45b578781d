// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import Glibc

/// Holds a folder for one bus, for as long as it lives: binding a local socket would silently take it from another.
final class FolderLock: Sendable {
    static let fileName = "bus.lock"

    private let descriptor: Int32

    /// Makes the folder where it is missing.
    init(_ folder: String) throws(BusError) {
        if mkdir(folder, 0o700) == -1 && errno != EEXIST {
            throw BusError.folder(folder, problem: "cannot be made: \(String(cString: strerror(errno)))")
        }
        let path = "\(folder)/\(Self.fileName)"
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw BusError.folder(folder, problem: "cannot be written to: \(String(cString: strerror(errno)))")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw BusError.folder(folder, problem: "belongs to a bus that is running; stop it, or name another folder")
        }
    }

    deinit {
        // The file stays: removing it would let a third bus lock a new one beside the second's.
        close(descriptor)
    }
}
