// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

package import Foundation
import Glibc
import HTTPTransport
package import WidgetSchema

/// The reason why a file source could not be read.
package struct FileSourceFailure: Error, Hashable, Sendable {
    package var `class`: AttemptFailure.Class
    /// The description of the failure: one sentence without the name of the file.
    package var message: String
    /// A Boolean value that indicates whether the file or its directory does not exist.
    package var isMissing = false
}

/// Access to sources that are files below a configured directory.
///
/// The URL of such a source in a lease is a ``FileAddress``.
package enum FileSource {
    /// The maximum size of a file in bytes; it is the same as for the body of an origin's answer.
    package static let maximumBytes = HTTPLimits.defaultMaximumBodyBytes

    /// Linux's `O_PATH`, which has this value on all supported architectures; Swift's Glibc does not define it.
    private static let pathOnly: Int32 = 0o10_000_000

    /// Reads the file at `path`, which is relative to the absolute path `directory`.
    ///
    /// Throws if the file cannot be read, is not a regular file below `directory`, or has more than `maximumBytes`
    /// bytes. Symbolic links and `..` in `path` may lead out of `directory`, so the function checks the real path of
    /// the opened file. Blocks the calling thread.
    package static func read(_ path: String, below directory: String) throws(FileSourceFailure) -> Data {
        let root = realpath(directory, nil)
        let isAbsent = root == nil && errno == ENOENT
        defer { free(root) }
        guard let root, directory.hasPrefix("/") else {
            throw FileSourceFailure(
                class: .transient,
                message: "the directory \(directory) does not exist or cannot be accessed",
                isMissing: isAbsent
            )
        }
        // `O_PATH` opens without side effects: a pipe gets no reader, and a device is not started.
        let place = open("\(directory)/\(path)", pathOnly | O_CLOEXEC)
        guard place >= 0 else { throw failure(errno) }
        defer { close(place) }
        let name = "/proc/self/fd/\(place)"
        let parent = String(cString: root)
        guard let real = linkTarget(name), real.hasPrefix(parent == "/" ? "/" : parent + "/") else {
            let message = "the file is outside the directory \(directory), and is not read"
            throw FileSourceFailure(class: .permanent, message: message)
        }
        var status = stat()
        guard fstat(place, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw FileSourceFailure(
                class: .permanent,
                message: "the path does not lead to a regular file; only such files are read"
            )
        }
        let descriptor = open(name, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { throw failure(errno) }
        defer { close(descriptor) }
        let bytes = try bytes(of: descriptor)
        do throws(InflationFailure) {
            return try bytes.inflated(maximumBytes: maximumBytes)
        } catch {
            throw FileSourceFailure(class: .malformed, message: error.message)
        }
    }

    private static func bytes(of descriptor: Int32) throws(FileSourceFailure) -> Data {
        var bytes = Data()
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure(errno) }
            guard count > 0 else { return bytes }
            bytes.append(contentsOf: buffer[..<count])
            guard bytes.count <= maximumBytes else {
                throw FileSourceFailure(
                    class: .permanent,
                    message: "the file has more than \(maximumBytes) bytes, the maximum size"
                )
            }
        }
    }

    private static func linkTarget(_ path: String) -> String? {
        var target = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        let count = target.withUnsafeMutableBufferPointer { bytes in
            bytes.baseAddress.map { readlink(path, $0, Int(PATH_MAX)) } ?? -1
        }
        return count > 0 ? String(decoding: target[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
    }

    private static func failure(_ code: Int32) -> FileSourceFailure {
        // A missing file may appear later, but a forbidden file remains so until somebody changes its permissions.
        let isLasting = code == EACCES || code == EPERM || code == ELOOP || code == ENAMETOOLONG
        return FileSourceFailure(
            class: isLasting ? .permanent : .transient,
            message: "the file cannot be read: \(String(cString: strerror(code)))",
            // A file that was expected to be a directory has no files inside.
            isMissing: code == ENOENT || code == ENOTDIR
        )
    }
}
