// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Glibc

/// A small file beside the store that says how many commits the store has seen, and when it was told so.
///
/// A store that knows of fewer was put back: an older copy lies in its place, or the newest part of it is gone. Where the
/// whole folder was put back, the mark is as old as the store, but its file was changed at another time than it says;
/// nobody can set that time (`st_ctime`, stat(2)). A new owner or mode counts as a copy, too, which costs each widget a
/// number and no more. It is written after each commit and never synced: what a power cut takes from it only makes it
/// say less.
final class StoreMark {
    private let descriptor: Int32
    /// Whether the mark, and so what lies beside it, was put there from elsewhere; looked at before the first `write`.
    let wasCopied: Bool

    /// Opens the file beside a database; without it, which is said, put-back stores are noticed less well.
    init?(beside path: String) {
        descriptor = open(path + Self.suffix, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        if descriptor < 0 { return nil }
        wasCopied = Self.isCopy(descriptor)
    }

    deinit { close(descriptor) }

    static let suffix = ".mark"
    private static let digits = 20
    /// A process may stand still between a look at the clock and the write; the clock of files is coarse.
    private static let toleranceMilliseconds: Int64 = 2000

    /// The highest number of commits that was written.
    var commits: Int64 { Self.number(descriptor, at: 0) ?? 0 }

    func write(_ commits: Int64) {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        let bytes = Array((Self.padded(commits) + Self.padded(Self.milliseconds(now))).utf8)
        // A mark that says less than the store is no harm.
        _ = pwrite(descriptor, bytes, bytes.count, 0)
    }

    private static func padded(_ number: Int64) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }

    private static func number(_ descriptor: Int32, at offset: Int) -> Int64? {
        var bytes = [UInt8](repeating: 0, count: digits)
        guard pread(descriptor, &bytes, bytes.count, off_t(offset)) == bytes.count else { return nil }
        return Int64(String(decoding: bytes, as: UTF8.self))
    }

    private static func isCopy(_ descriptor: Int32) -> Bool {
        var status = stat()
        guard let written = number(descriptor, at: digits), fstat(descriptor, &status) == 0 else { return false }
        return abs(milliseconds(status.st_ctim) - written) > toleranceMilliseconds
    }

    /// Since 1970.
    private static func milliseconds(_ time: timespec) -> Int64 {
        Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    /// What tells a file from a copy of it: another place on the disk.
    static func identity(of path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return String(status.st_ino)
    }
}
