// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Glibc

/// The `errno` of a failed system call, with its text.
public struct SystemCallError: Error, Hashable, Sendable, CustomStringConvertible {
    public let code: Int32

    public init(_ code: Int32) { self.code = code }

    public var description: String { String(cString: strerror(code)) }
}

/// The reason why a configured file cannot be read.
public enum FileProblem: Error, Hashable, Sendable, CustomStringConvertible {
    case system(SystemCallError)
    /// The path leads to a pipe, a socket or a device.
    case notRegular

    public var description: String {
        switch self {
        case .system(let error): error.description
        case .notRegular: "it is not a regular file, but a pipe, a socket or a device"
        }
    }
}

/// Functions that read files and report the exact error.
public enum FileReader {
    private static let piece = 64 * 1024

    /// Returns the first bytes of a regular file, at most `maximum`.
    ///
    /// Never waits for another process: a pipe, a socket or a device is an error, because a service that waits for a
    /// writer would hang.
    public static func read(_ path: String, maximum: Int) throws(FileProblem) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        // A socket cannot be opened at all (ENXIO).
        guard descriptor >= 0 else { throw errno == ENXIO ? .notRegular : .system(SystemCallError(errno)) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .system(SystemCallError(errno)) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw status.st_mode & S_IFMT == S_IFDIR ? .system(SystemCallError(EISDIR)) : .notRegular
        }
        do throws(SystemCallError) {
            return try read(descriptor, maximum: maximum)
        } catch {
            throw .system(error)
        }
    }

    /// Returns the remaining bytes of an open file, at most `maximum`.
    public static func read(_ descriptor: Int32, maximum: Int) throws(SystemCallError) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: piece)
        while bytes.count < maximum {
            let count = Glibc.read(descriptor, &buffer, min(piece, maximum - bytes.count))
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw SystemCallError(errno) }
            if count == 0 { break }
            bytes += buffer[..<count]
        }
        return bytes
    }
}
