// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Glibc

/// A small file beside the store that says how many commits the store has seen.
///
/// A store that knows of fewer was put back: an older copy lies in its place, or the newest part of it is gone. It is
/// written after each commit and never synced: what a power cut takes from it only makes it say less.
final class StoreMark {
    private let descriptor: Int32

    /// Opens the file beside a database; without it, which is said, put-back stores are noticed less well.
    init?(beside path: String) {
        descriptor = open(path + Self.suffix, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        if descriptor < 0 { return nil }
    }

    deinit { close(descriptor) }

    static let suffix = ".mark"
    private static let digits = 20

    /// The highest number of commits that was written.
    var commits: Int64 {
        var bytes = [UInt8](repeating: 0, count: Self.digits)
        guard pread(descriptor, &bytes, bytes.count, 0) == bytes.count else { return 0 }
        return Int64(String(decoding: bytes, as: UTF8.self)) ?? 0
    }

    func write(_ commits: Int64) {
        let text = String(commits)
        let padded = String(repeating: "0", count: max(0, Self.digits - text.utf8.count)) + text
        let bytes = Array(padded.utf8)
        // A mark that says less than the store is no harm.
        _ = pwrite(descriptor, bytes, bytes.count, 0)
    }

    /// What tells a file from a copy of it: another place on the disk.
    static func identity(of path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return String(status.st_ino)
    }
}
