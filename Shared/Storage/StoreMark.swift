// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import Glibc
internal import WidgetSchema

/// A small file beside a database, the mark, which shows whether the database was restored from a copy.
///
/// The mark contains the number of transactions that the database has committed, the time at which the mark was written,
/// and the number of its file's inode. If the database has fewer commits than the mark says, it was restored or has lost
/// its latest commits.
///
/// If the whole folder was restored, the mark is a copy, too: a file with another inode, or one whose modification time
/// differs from the time in the mark. A change of owner or mode changes neither. Bytes that are written into the same
/// files together with their former modification times are not noticed here, but by the notifier, which then knows
/// cycles that the cache does not have.
///
/// The mark is written after each commit and never synced. A power cut can therefore only make its number smaller and its
/// time earlier.
final class StoreMark {
    private let descriptor: Int32
    /// A Boolean value that indicates whether the file of the mark was a copy when it was opened.
    ///
    /// In this case, the database beside it counts as a copy too.
    let wasCopied: Bool

    /// Opens or creates the mark beside a database; nil if this fails.
    ///
    /// Without a mark, fewer restores are detected.
    init?(beside path: String) {
        descriptor = open(path + Self.suffix, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        if descriptor < 0 { return nil }
        wasCopied = Self.isCopy(descriptor)
    }

    deinit { close(descriptor) }

    static let suffix = ".mark"
    private static let digits = 20
    /// The maximum difference between the time in a mark and the modification time of its file; a larger one means that
    /// the file was copied.
    ///
    /// The two times differ even if the file was not copied. File times are coarse, and the process may be suspended
    /// between reading the clock and writing the mark. After a power cut, the file's time may be some 30 s later: a file
    /// system writes it with the next sync of any file, but overwritten contents only with the system's next writeback.
    private static let toleranceMilliseconds: Int64 = 120_000

    /// The number of commits that the mark contains; 0 if the mark contains no number.
    var commits: Int64 { Self.number(descriptor, at: 0) ?? 0 }

    func write(_ commits: Int64) {
        var (now, status) = (timespec(), stat())
        clock_gettime(CLOCK_REALTIME, &now)
        let inode = fstat(descriptor, &status) == 0 ? Self.number(ofInode: status) : 0
        let numbers = [commits, Self.milliseconds(now), inode]
        let bytes = Array(numbers.map { $0.padded(to: Self.digits) }.joined().utf8)
        // If the write fails, the mark keeps a smaller number, and only fewer restores are detected.
        _ = pwrite(descriptor, bytes, bytes.count, 0)
    }

    private static func number(_ descriptor: Int32, at offset: Int) -> Int64? {
        var bytes = [UInt8](repeating: 0, count: digits)
        guard pread(descriptor, &bytes, bytes.count, off_t(offset)) == bytes.count else { return nil }
        return Int64(String(decoding: bytes, as: UTF8.self))
    }

    private static func isCopy(_ descriptor: Int32) -> Bool {
        var status = stat()
        guard let written = number(descriptor, at: digits), fstat(descriptor, &status) == 0 else { return false }
        // A mark of an earlier version has no inode number.
        if let inode = number(descriptor, at: 2 * digits), inode != number(ofInode: status) { return true }
        return abs(milliseconds(status.st_mtim) - written) > toleranceMilliseconds
    }

    private static func number(ofInode status: stat) -> Int64 { Int64(truncatingIfNeeded: status.st_ino) & .max }

    /// Returns a time in milliseconds since 1970.
    private static func milliseconds(_ time: timespec) -> Int64 {
        Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    /// Returns the inode number of the file at `path`; nil if there is no file.
    ///
    /// A copy of the file has another inode number.
    static func inodeNumber(of path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return String(status.st_ino)
    }
}
