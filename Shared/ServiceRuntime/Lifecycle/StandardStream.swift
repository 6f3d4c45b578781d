// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import Configuration

/// Standard output and standard error, unbuffered.
///
/// This type is necessary because Swift 6 does not allow access to C's `stdout`.
public enum StandardStream: Int32, Sendable {
    case output = 1
    case error = 2

    /// Writes the whole text; returns false if it could not be written.
    @discardableResult
    public func write(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { write(UnsafeRawBufferPointer($0)) }
    }

    /// Writes all bytes; returns false if they could not be written.
    @discardableResult
    public func write(_ bytes: UnsafeRawBufferPointer) -> Bool { errorWriting(bytes) == nil }

    /// Writes all bytes; returns the `errno` of a failed call, or nil.
    ///
    /// `EPIPE` means that the reader is gone, `EBADF` that the stream was closed before the process started.
    public func errorWriting(_ bytes: UnsafeRawBufferPointer) -> Int32? {
        do throws(SystemCallError) {
            try FileWriter.write(bytes.bytes, to: rawValue)
            return nil
        } catch {
            return error.code
        }
    }
}
