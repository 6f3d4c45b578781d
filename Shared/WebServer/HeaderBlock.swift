// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Glibc

/// The check that libmicrohttpd has read the first line and the headers of a request as other servers read them.
///
/// libmicrohttpd keeps the received bytes in one buffer, writes a NUL over the end of each name, value and line, and gives
/// the addresses of the texts. It ends a text at a NUL that the client has sent, joins folded lines, and takes a bare LF for
/// the end of a line. In each of these cases, a text does not begin where the previous one says. Seen in
/// libmicrohttpd 0.9.75: `get_next_header_line`, `process_header_line`, `process_broken_line`.
struct HeaderBlock {
    private let start: UInt
    /// The address at which the next line must begin.
    private var next: UInt
    private var isValid: Bool

    /// Starts with the first line of a request.
    ///
    /// `target` contains the addresses of the request's target before it was decoded.
    init(method: UnsafePointer<CChar>, target: Range<UInt>, version: UnsafePointer<CChar>) {
        start = UInt(bitPattern: method)
        let methodEnd = Self.end(of: method)
        let versionStart = UInt(bitPattern: version)
        // One space precedes the target, and one the version.
        isValid =
            Self.isToken(method) && target.lowerBound == methodEnd + 1 && versionStart == target.upperBound + 1
        next = Self.end(of: version) + 2
    }

    /// Adds the next header; its lines end with CR LF.
    mutating func add(name: UnsafePointer<CChar>, value: UnsafePointer<CChar>) {
        isValid =
            isValid && UInt(bitPattern: name) == next && Self.isToken(name)
            && Self.bytes(value).allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
        next = Self.end(of: value) + 2
    }

    /// Returns whether all lines are valid, and an empty line ends the headers.
    ///
    /// `size` is the size of the first line and the headers in bytes.
    func isValid(size: Int) -> Bool { isValid && next + 2 == start + UInt(size) }

    /// Returns whether a text is a token (RFC 9110, section 5.6.2).
    private static func isToken(_ text: UnsafePointer<CChar>) -> Bool {
        text.pointee != 0
            && bytes(text).allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
    }

    private static func bytes(_ text: UnsafePointer<CChar>) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: text, count: strlen(text))
    }

    private static func end(of text: UnsafePointer<CChar>) -> UInt { UInt(bitPattern: text) + UInt(strlen(text)) }
}
