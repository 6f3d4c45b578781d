// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// Functions that append parts of JSON text to a writer's output.
extension JSONText {
    /// The characters that are written as escapes in a string.
    package enum Escapes {
        /// The quotation mark, the backslash and the characters below U+0020, which JSON requires to be escaped.
        case required
        /// The characters of ``required``, all other control characters and the separators U+2028 and U+2029.
        ///
        /// With these escapes, the output is one line in every viewer and cannot control a terminal.
        case allControls
    }

    /// Appends a string with its quotation marks.
    package static func append(_ text: String, to output: inout [UInt8], escapes: Escapes = .required) {
        var text = text
        text.withUTF8 { append(utf8: $0, to: &output, escapes: escapes) }
    }

    /// Appends a string in UTF-8 with its quotation marks.
    package static func append(utf8 text: [UInt8], to output: inout [UInt8]) {
        text.withUnsafeBufferPointer { append(utf8: $0, to: &output, escapes: .required) }
    }

    package static func append(_ value: Bool, to output: inout [UInt8]) {
        output.append(contentsOf: value ? "true".utf8 : "false".utf8)
    }

    package static func append(integer value: some BinaryInteger, to output: inout [UInt8]) {
        append(ascii: value.description, to: &output)
    }

    /// Appends a finite number in its shortest form, without a final `.0`.
    ///
    /// The shortest form has only the digits that are necessary to read exactly the same number again.
    package static func append(
        number value: some BinaryFloatingPoint & CustomStringConvertible,
        to output: inout [UInt8]
    ) {
        let text = value.description
        append(ascii: text.hasSuffix(".0") ? String(text.dropLast(2)) : text, to: &output)
    }

    package static func appendNull(to output: inout [UInt8]) { output.append(contentsOf: "null".utf8) }

    /// Appends a text with each control character as an escape, and adds no quotation marks.
    ///
    /// Quotation marks and backslashes within the text are not escaped.
    package static func append(escapingControlsOf text: String, to output: inout [UInt8]) {
        var text = text
        text.withUTF8 { utf8 in
            appendEscaped(utf8, to: &output) { index in
                let byte = utf8[index]
                return byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") ? nil : control(utf8, index)
            }
        }
    }

    // MARK: Escapes

    private static func append(ascii text: String, to output: inout [UInt8]) {
        var text = text
        text.withUTF8 { output.append(contentsOf: $0) }
    }

    private static func append(utf8: UnsafeBufferPointer<UInt8>, to output: inout [UInt8], escapes: Escapes) {
        output.append(UInt8(ascii: "\""))
        switch escapes {
        case .required: appendEscaped(utf8, to: &output)
        case .allControls: appendEscaped(utf8, to: &output) { control(utf8, $0) }
        }
        output.append(UInt8(ascii: "\""))
    }

    /// Appends a string without its quotation marks, with the required escapes.
    private static func appendEscaped(_ utf8: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]) {
        var clean = 0
        var index = 0
        while let special = special(in: utf8, from: index) {
            output.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[clean..<special]))
            appendEscape(UInt32(utf8[special]), to: &output)
            index = special + 1
            clean = index
        }
        output.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[clean...]))
    }

    /// Appends a text, with escapes for the characters that `special` selects.
    ///
    /// `special` is called with an offset in `utf8`. If the character at this offset must be escaped, `special` returns
    /// the character and its length in bytes. Otherwise, it returns nil.
    private static func appendEscaped(
        _ utf8: UnsafeBufferPointer<UInt8>,
        to output: inout [UInt8],
        special: (Int) -> (scalar: UInt32, bytes: Int)?
    ) {
        var clean = 0
        var index = 0
        while index < utf8.count {
            guard let (scalar, bytes) = special(index) else {
                index += 1
                continue
            }
            output.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[clean..<index]))
            appendEscape(scalar, to: &output)
            index += bytes
            clean = index
        }
        output.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[clean...]))
    }

    /// Returns the scalar at an offset and the scalar's length in bytes.
    ///
    /// Returns nil if ``Escapes/allControls`` does not include the scalar.
    private static func control(_ utf8: UnsafeBufferPointer<UInt8>, _ index: Int) -> (scalar: UInt32, bytes: Int)? {
        let byte = utf8[index]
        switch byte {
        case 0..<0x20, 0x7F, UInt8(ascii: "\""), UInt8(ascii: "\\"): return (UInt32(byte), 1)
        case 0xC2:
            // U+0080 to U+009F.
            guard index + 1 < utf8.count, utf8[index + 1] < 0xA0 else { return nil }
            return (UInt32(utf8[index + 1]), 2)
        case 0xE2:
            guard index + 2 < utf8.count, utf8[index + 1] == 0x80, utf8[index + 2] & 0xFE == 0xA8 else { return nil }
            return (0x2000 + UInt32(utf8[index + 2] & 0x3F), 3)
        default: return nil
        }
    }

    /// Returns the offset of the first byte, at `start` or after it, that must be escaped in a string.
    ///
    /// Returns nil if there is no such byte.
    static func special(in utf8: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        var index = start
        let word = MemoryLayout<UInt64>.size
        let raw = UnsafeRawBufferPointer(utf8)
        // Eight bytes are checked at a time. If one of them is below 0x20, a quotation mark or a backslash, the highest
        // bit of its byte in `found` is set.
        while index + word <= utf8.count {
            let block = raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            let quote = block ^ 0x2222_2222_2222_2222
            let backslash = block ^ 0x5C5C_5C5C_5C5C_5C5C
            let found =
                (block &- 0x2020_2020_2020_2020) & ~block
                | (quote &- 0x0101_0101_0101_0101) & ~quote
                | (backslash &- 0x0101_0101_0101_0101) & ~backslash
            if found & 0x8080_8080_8080_8080 != 0 { break }
            index += word
        }
        while index < utf8.count {
            let byte = utf8[index]
            if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return index }
            index += 1
        }
        return nil
    }

    /// Appends the escape of a scalar below U+10000.
    private static func appendEscape(_ scalar: UInt32, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\\"))
        switch scalar {
        case 0x08: output.append(UInt8(ascii: "b"))
        case 0x09: output.append(UInt8(ascii: "t"))
        case 0x0A: output.append(UInt8(ascii: "n"))
        case 0x0C: output.append(UInt8(ascii: "f"))
        case 0x0D: output.append(UInt8(ascii: "r"))
        case 0x22, 0x5C: output.append(UInt8(scalar))
        default:
            let digits: StaticString = "0123456789abcdef"
            output.append(UInt8(ascii: "u"))
            var shift: UInt32 = 16
            while shift > 0 {
                shift -= 4
                output.append(digits.utf8Start[Int(scalar >> shift & 15)])
            }
        }
    }
}
