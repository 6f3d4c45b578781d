// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Glibc

/// The `errno` of a failed system call, with its text.
public struct SystemCallError: Error, Hashable, Sendable, CustomStringConvertible {
    public let code: Int32

    public init(_ code: Int32) { self.code = code }

    public var description: String { String(cString: strerror(code)) }
}

/// Functions that read files and report the exact error.
public enum FileReader {
    private static let piece = 64 * 1024

    /// Returns the first bytes of a file, at most `maximum`.
    ///
    /// Throws the error of the system call if the file cannot be opened or read.
    public static func read(_ path: String, maximum: Int) throws(SystemCallError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemCallError(errno) }
        defer { close(descriptor) }
        return try read(descriptor, maximum: maximum)
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
