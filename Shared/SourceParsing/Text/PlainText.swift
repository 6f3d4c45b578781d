// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// Functions for text without markup, on one line.
enum PlainText {
    /// Returns the text of HTML: tags are removed, references become characters, and white space is collapsed to single
    /// spaces.
    ///
    /// Text after the first `limit` characters may be dropped. The time is proportional to the length.
    static func fromHTML(_ html: String, limit: Int = .max) -> String {
        withBytes(of: html) { bytes in
            if bytes.count <= limit, isLine(bytes, rejectsMarkup: true) { return html }
            var scanner = HTMLScanner(bytes, limit: limit)
            return scanner.run()
        }
    }

    /// Returns the text with white space collapsed to single spaces, and without white space at its ends.
    ///
    /// Text after the first `limit` characters may be dropped.
    static func collapse(_ text: String, limit: Int = .max) -> String {
        withBytes(of: text) { bytes in
            if bytes.count <= limit, isLine(bytes, rejectsMarkup: false) { return text }
            var line = LineBuilder(limit: limit)
            line.append(bytes)
            return line.text
        }
    }

    /// Returns whether a text contains only white space.
    static func isBlank(_ text: String) -> Bool {
        withBytes(of: text) { bytes in
            var index = 0
            while index < bytes.count {
                if bytes[index] < 0x80 {
                    guard isSpace(bytes[index]) else { return false }
                    index += 1
                } else {
                    let (scalar, length) = character(bytes, at: index)
                    guard isSpace(scalar) else { return false }
                    index += length
                }
            }
            return true
        }
    }

    /// Returns the text without white space at its ends.
    static func trimmed(_ text: String) -> String {
        let isDone = withBytes(of: text) { bytes in
            guard let first = bytes.first, let last = bytes.last else { return true }
            return first > 32 && first < 0x80 && last > 32 && last < 0x80
        }
        if isDone { return text }
        let scalars = text.unicodeScalars
        guard let first = scalars.firstIndex(where: { !isSpace($0.value) }),
            let last = scalars.lastIndex(where: { !isSpace($0.value) })
        else { return "" }
        return String(scalars[first...last])
    }

    /// Returns the text as HTML with escaped markup.
    static func escaped(_ text: String) -> String {
        withBytes(of: text) { bytes in
            guard let first = bytes.firstIndex(where: meansMarkup) else { return text }
            var result: [UInt8] = []
            result.reserveCapacity(bytes.count + bytes.count / 8 + 16)
            var start = 0
            var index = first
            while index < bytes.count {
                guard meansMarkup(bytes[index]) else {
                    index += 1
                    continue
                }
                result.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start..<index]))
                result.append(contentsOf: reference(bytes[index]))
                index += 1
                start = index
            }
            result.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start...]))
            return String(decoding: result, as: UTF8.self)
        }
    }

    static func meansMarkup(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""): true
        default: false
        }
    }

    /// Returns the HTML character reference for `byte`, such as `&amp;` for `&`.
    ///
    /// `byte` must be `&`, `<`, `>` or `"`.
    static func reference(_ byte: UInt8) -> UnsafeBufferPointer<UInt8> {
        let text: StaticString =
            switch byte {
            case UInt8(ascii: "&"): "&amp;"
            case UInt8(ascii: "<"): "&lt;"
            case UInt8(ascii: ">"): "&gt;"
            default: "&quot;"
            }
        return UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    }

    // MARK: - Bytes

    /// Calls `body` with the bytes of a text, which are valid UTF-8.
    static func withBytes<Result>(of text: String, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        text.utf8.withContiguousStorageIfAvailable(body) ?? Array(text.utf8).withUnsafeBufferPointer(body)
    }

    /// Returns whether a text is printable ASCII with no line breaks, no consecutive spaces and no spaces at its ends.
    ///
    /// If `rejectsMarkup` is true, the text must also contain no `<` and no `&`.
    private static func isLine(_ bytes: UnsafeBufferPointer<UInt8>, rejectsMarkup: Bool) -> Bool {
        guard let last = bytes.last else { return true }
        guard last != 32 else { return false }
        var before: UInt8 = 32
        for byte in bytes {
            if byte < 32 || byte >= 0x7f || (byte == 32 && before == 32) { return false }
            if rejectsMarkup, byte == UInt8(ascii: "<") || byte == UInt8(ascii: "&") { return false }
            before = byte
        }
        return true
    }

    /// Returns the character that begins at `index` in valid UTF-8, and its number of bytes.
    static func character(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> (scalar: UInt32, length: Int) {
        let first = UInt32(bytes[index])
        func part(_ offset: Int) -> UInt32 { UInt32(bytes[index + offset] & 0x3f) }
        switch first {
        case 0..<0x80: return (first, 1)
        case 0..<0xe0: return ((first & 0x1f) << 6 | part(1), 2)
        case 0..<0xf0: return ((first & 0x0f) << 12 | part(1) << 6 | part(2), 3)
        default: return ((first & 0x07) << 18 | part(1) << 12 | part(2) << 6 | part(3), 4)
        }
    }

    static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) }

    /// Returns whether a character is white space (Unicode's property `White_Space`).
    static func isSpace(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 9...13, 32, 0x85, 0xa0, 0x1680, 0x2000...0x200a, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000: true
        default: false
        }
    }

    /// Returns whether a scalar belongs to a fixed set of scalars that never combine with each other.
    ///
    /// The set contains letters, digits and signs of most scripts. In a text that consists of scalars of this set, each
    /// scalar is one character. In any other text, the rules of Unicode determine the characters (UAX 29).
    static func standsAlone(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x20..<0x7f, 0xa1..<0xa9, 0xaa..<0xad, 0xaf..<0x300, 0x370..<0x483, 0x48a..<0x591, 0x2010..<0x2028,
            0x2030..<0x203c, 0x20a0..<0x20c0, 0x3001..<0x302a, 0x3041..<0x3097, 0x30a0..<0x3100, 0x4e00..<0xa000,
            0xac00..<0xd7a4, 0xff01..<0xff60:
            true
        default: false
        }
    }
}
