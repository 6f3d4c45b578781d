// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Glibc

/// A temporary folder for copies of stores.
///
/// It is locked while its process runs, so the next command can remove it if the process was interrupted.
enum ScratchFolder {
    private static let prefix = ".tidings-"
    private static let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC

    /// Creates a temporary folder in `parent`, runs `body` with its path, and removes the temporary folder.
    ///
    /// First, removes those that interrupted commands of the same user have left in `parent`.
    static func with<Result>(in parent: String, _ body: (String) throws -> Result) throws -> Result {
        removeAbandoned(in: parent)
        let path = "\(parent)/\(prefix)\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700]
        )
        let lock = open(path, flags)
        defer {
            try? FileManager.default.removeItem(atPath: path)
            close(lock)
        }
        // Waits only while another command examines the folder. A file system without locks is no reason to fail.
        _ = flock(lock, LOCK_EX)
        return try body(path)
    }

    private static func removeAbandoned(in parent: String) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
        for name in names
        where name.hasPrefix(prefix) && UUID(uuidString: String(name.dropFirst(prefix.count))) != nil {
            let path = "\(parent)/\(name)"
            let lock = open(path, flags)
            guard lock >= 0 else { continue }
            defer { close(lock) }
            var status = stat()
            guard fstat(lock, &status) == 0, status.st_uid == geteuid(), flock(lock, LOCK_EX | LOCK_NB) == 0,
                // A folder is locked before it gets its first file, so an empty one may be that of a command that has just begun.
                let files = try? FileManager.default.contentsOfDirectory(atPath: path), !files.isEmpty
            else { continue }
            try? FileManager.default.removeItem(atPath: path)
        }
    }
}
