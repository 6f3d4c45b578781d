// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Glibc
import ServiceRuntime

/// The only writer of a command's standard output: output that cannot be written fails the command.
///
/// Text for a person beside the results, such as progress and warnings, goes to `StandardStream.error`.
enum StandardOutput {
    /// The reader has gone, as `head` does: the command ends quietly, with status 0.
    struct Closed: Error {}

    /// Writes the whole text.
    ///
    /// Throws `Closed`, or a `CommandFailure` that names the reason.
    static func write(_ text: String) throws {
        var text = text
        try text.withUTF8 { try write(UnsafeRawBufferPointer($0)) }
    }

    /// Writes a line that a process goes on after, reader or not.
    ///
    /// Throws a `CommandFailure` that names the reason.
    static func announce(_ line: String) throws {
        do { try write(line) } catch is Closed {}
    }

    /// Writes all bytes.
    ///
    /// Throws `Closed`, or a `CommandFailure` that names the reason.
    static func write(_ bytes: UnsafeRawBufferPointer) throws {
        switch StandardStream.output.errorWriting(bytes) {
        case nil: return
        // `>&-` is a wish for silence, too.
        case EPIPE, EBADF: throw Closed()
        case let code?:
            throw CommandFailure(.no, "standard output cannot be written: \(SystemError.text(code))")
        }
    }
}
