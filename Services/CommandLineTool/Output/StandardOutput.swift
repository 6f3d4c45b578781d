// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Glibc
import ServiceRuntime
import WidgetSchema

/// The only writer to a command's standard output.
///
/// If the output cannot be written, the command fails. If the reader has closed the output, the command does not fail;
/// see `Closed`. An output without which the command has no result, such as a backup, is written with `OutputFile`, and then the command
/// fails.
///
/// Progress and warnings go to `StandardStream.error`.
enum StandardOutput {
    /// The error of a write after the reader, such as `head`, has closed the pipe.
    ///
    /// The command then ends silently with status 0.
    struct Closed: Error {}

    /// Writes a value as one line of JSON, as it is sent on the bus.
    static func write(json value: some Encodable) throws {
        try write(String(decoding: try WireJSON.encode(value), as: UTF8.self) + "\n")
    }

    /// Writes the whole text.
    ///
    /// Throws `Closed`, or a `CommandFailure` with the reason.
    static func write(_ text: String) throws {
        var text = text
        try text.withUTF8 { try write(UnsafeRawBufferPointer($0)) }
    }

    /// Writes a text that ends with a newline; does nothing if nobody reads standard output any more.
    ///
    /// Throws a `CommandFailure` if the text cannot be written for another reason.
    static func announce(_ line: String) throws {
        do { try write(line) } catch is Closed {}
    }

    /// Writes all bytes.
    ///
    /// Throws `Closed`, or a `CommandFailure` with the reason.
    static func write(_ bytes: UnsafeRawBufferPointer) throws {
        switch StandardStream.output.errorWriting(bytes) {
        case nil: return
        // EBADF: the shell has closed standard output with `>&-`, so nobody reads it.
        case EPIPE, EBADF: throw Closed()
        case let code?:
            throw CommandFailure(.no, "standard output cannot be written: \(SystemError.text(code))")
        }
    }
}
