// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import Foundation
import ServiceRuntime

/// A file that `--output` or an operand names.
///
/// The bytes of a regular file are written to a temporary file, which is then renamed. Readers therefore see the old
/// file or the new one, even if the disk is full. A symbolic link remains, and its target is replaced. A FIFO or a
/// character device is written to directly. `-` is standard output. Folders, sockets and block devices are rejected.
struct OutputFile {
    /// A closure that writes the next bytes of the file.
    typealias Sink = (UnsafeRawBufferPointer) throws -> Void

    /// The path that stands for standard output.
    static let standardOutput = "-"
    /// The maximum number of symbolic links that are followed, as in Linux.
    private static let maximumLinks = 40

    /// The path as the user typed it, for errors.
    let path: String
    /// The permissions of a new file before the umask; a replaced file keeps its own.
    var permissions: mode_t = 0o666
    /// A Boolean value that indicates whether an existing regular file is replaced; if not, `write` throws an error.
    var overwrites = true

    init(_ path: String, permissions: mode_t = 0o666, overwrites: Bool = true) {
        self.path = path
        self.permissions = permissions
        self.overwrites = overwrites
    }

    /// The folder of the file; temporary files are created in it and then renamed to the file.
    ///
    /// Nil for standard output, a FIFO or a device, which are written to directly.
    var folder: String? {
        get throws { try usesTemporaryFile ? FilePath.folder(of: target()) : nil }
    }

    /// Calls `body` with a sink, and writes all bytes that `body` passes to the sink.
    ///
    /// Throws a `CommandFailure`, also if the reader of standard output has closed it, or the error that `body` throws.
    func write(_ body: (Sink) throws -> Void) throws {
        guard path != Self.standardOutput else {
            do {
                return try body { try StandardOutput.write($0) }
            } catch is StandardOutput.Closed {
                throw CommandFailure(.no, "standard output was not written completely, because it was closed")
            }
        }
        do {
            try usesTemporaryFile ? replace(body) : writeThrough(body)
        } catch let error as SystemCallError {
            throw !overwrites && error.code == EEXIST ? alreadyThere() : failure(error.code)
        }
    }

    func write(_ data: Data) throws { try write { sink in try data.withUnsafeBytes(sink) } }

    // MARK: The kind of file

    /// A Boolean value that indicates whether `write` creates a new file, which then replaces the old one.
    ///
    /// If the value is false, `write` writes to the existing file or to standard output. A path below /dev or /proc is
    /// never replaced, even if it is a link to a regular file elsewhere. The getter throws an error if the path leads
    /// to a folder, a socket or a block device, or if the kind of the file cannot be determined.
    private var usesTemporaryFile: Bool {
        get throws {
            guard path != Self.standardOutput else { return false }
            var status = stat()
            guard stat(path, &status) == 0 else {
                guard errno == ENOENT else { throw failure(errno) }
                return true
            }
            switch status.st_mode & S_IFMT {
            case S_IFREG: return !path.hasPrefix("/dev/") && !path.hasPrefix("/proc/")
            case S_IFIFO, S_IFCHR: return false
            case S_IFDIR: throw CommandFailure(.wrongUse, "\(path): it is a folder; name a file in it")
            default:
                throw CommandFailure(.wrongUse, "\(path): it is neither a file, a FIFO nor a character device")
            }
        }
    }

    /// Returns the path after following all symbolic links; the file need not exist.
    private func target() throws -> String {
        var target = path
        for _ in 0..<Self.maximumLinks {
            var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
            let count = readlink(target, &buffer, buffer.count)
            guard count >= 0 else {
                return target.contains("/") ? target : "./" + target
            }
            let link = String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
            let folder = FilePath.folder(of: target)
            target = link.hasPrefix("/") || folder.isEmpty ? link : "\(folder)/\(link)"
        }
        throw failure(ELOOP)
    }

    // MARK: Writing

    private func replace(_ body: (Sink) throws -> Void) throws {
        let target = try target()
        var status = stat()
        let exists = stat(target, &status) == 0
        guard overwrites || !exists else { throw alreadyThere() }
        let draft = try FileDraft(for: target)
        if exists {
            // The owner is kept if this process may change it; the permissions are always kept.
            _ = fchown(draft.descriptor, status.st_uid, status.st_gid)
            fchmod(draft.descriptor, status.st_mode & 0o7777)
        } else {
            let mask = umask(0)
            umask(mask)
            fchmod(draft.descriptor, permissions & ~mask)
        }
        try body { bytes in try draft.write(bytes.bytes) }
        if overwrites { try draft.replace() } else { try draft.create() }
    }

    private func writeThrough(_ body: (Sink) throws -> Void) throws {
        var descriptor = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
        if descriptor < 0, errno == ENXIO {
            Program.note("waiting for a reader of \(path)")
            descriptor = open(path, O_WRONLY | O_CLOEXEC)
        } else if descriptor >= 0 {
            _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
        }
        guard descriptor >= 0 else { throw failure(errno) }
        defer { close(descriptor) }
        try body { bytes in try FileWriter.write(bytes.bytes, to: descriptor) }
    }

    private func failure(_ code: Int32) -> CommandFailure {
        CommandFailure(.no, "\(path): it cannot be written: \(SystemError.text(code))")
    }

    private func alreadyThere() -> CommandFailure {
        CommandFailure(
            .wrongUse,
            "\(path) already exists and was not changed; choose another file with --output, or overwrite it "
                + "with --force"
        )
    }
}
