// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Glibc
import ServiceRuntime

/// The only writer to a command's standard output: if output cannot be written, the command fails.
///
/// Other texts for a person, such as progress and warnings, go to `StandardStream.error`.
enum StandardOutput {
    /// The reader has closed the pipe, as `head` does: the command ends quietly with status 0.
    struct Closed: Error {}

    /// Writes the whole text.
    ///
    /// Throws `Closed`, or a `CommandFailure` with the reason.
    static func write(_ text: String) throws {
        var text = text
        try text.withUTF8 { try write(UnsafeRawBufferPointer($0)) }
    }

    /// Writes a line after which the process continues even without a reader.
    ///
    /// Throws a `CommandFailure` with the reason.
    static func announce(_ line: String) throws {
        do { try write(line) } catch is Closed {}
    }

    /// Writes all bytes.
    ///
    /// Throws `Closed`, or a `CommandFailure` with the reason.
    static func write(_ bytes: UnsafeRawBufferPointer) throws {
        switch StandardStream.output.errorWriting(bytes) {
        case nil: return
        // `>&-` asks for silence, too.
        case EPIPE, EBADF: throw Closed()
        case let code?:
            throw CommandFailure(.no, "standard output cannot be written: \(SystemError.text(code))")
        }
    }
}
