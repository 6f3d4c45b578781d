// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A decoder for character data that arrives in pieces, such as the text of an element.
///
/// It decodes the predefined entities of XML, the named characters of HTML, numeric references, and the entities that
/// `DocumentType` stores. Everything else is literal.
struct XMLTextDecoder {
    /// The maximum length of the name in a character reference, in bytes; all names of HTML are shorter.
    private static let maximumNameBytes = 32
    private static let ampersands: UInt64 = 0x2626_2626_2626_2626
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highs: UInt64 = 0x8080_8080_8080_8080

    private var storage: [UInt8] = []
    private(set) var count = 0

    /// Removes the text and keeps the buffer.
    mutating func clear() { count = 0 }

    var string: String { string(limit: .max) }

    /// Returns the text, cut to at most `limit` bytes without dividing a character.
    func string(limit: Int) -> String {
        var end = min(count, limit)
        // Do not cut within a character.
        while end < count, end > 0, storage[end] & 0xc0 == 0x80 { end -= 1 }
        return storage.withUnsafeBufferPointer {
            String(decoding: UnsafeBufferPointer(rebasing: $0[..<end]), as: UTF8.self)
        }
    }

    mutating func append(literal piece: UnsafeBufferPointer<UInt8>) {
        reserve(piece.count)
        storage.withUnsafeMutableBytes { room in
            if let base = piece.baseAddress {
                room.baseAddress?.advanced(by: count).copyMemory(from: base, byteCount: piece.count)
            }
        }
        count += piece.count
    }

    mutating func append(_ text: StaticString) {
        append(literal: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends a piece and decodes its references; `documentType` provides the entities that the document declares.
    mutating func append(_ piece: UnsafeBufferPointer<UInt8>, _ documentType: inout DocumentType) {
        // Decoded text is not longer than the piece, except for entities of a document type, for which `reference`
        // reserves more. The additional 8 bytes are for `copy`, which writes whole words.
        reserve(piece.count + 8)
        var index = 0
        while index < piece.count {
            index = copy(piece, from: index)
            guard index < piece.count else { return }
            index = reference(piece, at: index, &documentType)
        }
    }

    /// Appends the decoded text of another decoder, escaped as HTML.
    mutating func append(escaping other: borrowing XMLTextDecoder) {
        other.storage.withUnsafeBufferPointer { bytes in
            var start = 0
            for index in 0..<other.count where PlainText.meansMarkup(bytes[index]) {
                append(literal: UnsafeBufferPointer(rebasing: bytes[start..<index]))
                append(literal: PlainText.reference(bytes[index]))
                start = index + 1
            }
            append(literal: UnsafeBufferPointer(rebasing: bytes[start..<other.count]))
        }
    }

    private mutating func append(_ byte: UInt8) {
        reserve(1)
        storage[count] = byte
        count += 1
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
        for byte in UTF8.encode(scalar) ?? UTF8.EncodedScalar() { append(byte) }
    }

    private mutating func reserve(_ more: Int) {
        let needed = count + more
        if needed > storage.count {
            storage.append(contentsOf: repeatElement(0, count: max(needed, storage.count * 2, 4096) - storage.count))
        }
    }

    /// Copies bytes up to the next ampersand or the end, and returns the position of the ampersand or the end.
    ///
    /// Eight bytes are copied at a time.
    private mutating func copy(_ piece: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        storage.withUnsafeMutableBytes { room in
            guard let source = piece.baseAddress.map(UnsafeRawPointer.init), let target = room.baseAddress else {
                return piece.count
            }
            var index = start
            var end = count
            while index + 8 <= piece.count {
                let word = source.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                target.storeBytes(of: word, toByteOffset: end, as: UInt64.self)
                let difference = UInt64(littleEndian: word) ^ Self.ampersands
                let hits = (difference &- Self.ones) & ~difference & Self.highs
                if hits != 0 {
                    let length = hits.trailingZeroBitCount / 8
                    count = end + length
                    return index + length
                }
                index += 8
                end += 8
            }
            while index < piece.count, piece[index] != UInt8(ascii: "&") {
                room[end] = piece[index]
                index += 1
                end += 1
            }
            count = end
            return index
        }
    }

    /// Decodes the character reference at an ampersand, and returns the position of the next byte to decode.
    ///
    /// If the reference is unknown, appends only the ampersand.
    private mutating func reference(
        _ piece: UnsafeBufferPointer<UInt8>,
        at start: Int,
        _ documentType: inout DocumentType
    ) -> Int {
        let limit = min(piece.count, start + 1 + Self.maximumNameBytes)
        var end = start + 1
        while end < limit, piece[end] != UInt8(ascii: ";") { end += 1 }
        if end < limit {
            let name = UnsafeBufferPointer(rebasing: piece[(start + 1)..<end])
            if let byte = Self.predefined(name) {
                append(byte)
                return end + 1
            }
            if let text = documentType.text(of: name) {
                reserve(text.count + piece.count - end + 8)
                for byte in text where byte >= 32 || byte == 9 || byte == 10 { append(byte) }
                return end + 1
            }
            if let next = character(name, piece, after: end) { return next }
        }
        append(UInt8(ascii: "&"))
        return start + 1
    }

    /// Appends the character of HTML that a reference names, and returns the position of the next byte to decode.
    ///
    /// `name` ends at the semicolon at `end`. Returns nil if the name is unknown.
    @inline(never)
    private mutating func character(
        _ name: UnsafeBufferPointer<UInt8>,
        _ piece: UnsafeBufferPointer<UInt8>,
        after end: Int
    ) -> Int? {
        switch HTMLCharacter.referred(name) {
        case nil: return nil
        case .nothing: return end + 1
        case .character(let scalar):
            append(scalar)
            return end + 1
        case .surrogate(let half):
            let completed = HTMLCharacter.completed(half, by: piece[(end + 1)...])
            append(completed?.character ?? HTMLCharacter.replacement)
            return end + 1 + (completed?.length ?? 0)
        }
    }

    /// Returns the character of one of XML's five entities; nil for any other name.
    private static func predefined(_ name: UnsafeBufferPointer<UInt8>) -> UInt8? {
        switch name.count {
        case 2 where name[1] == UInt8(ascii: "t"):
            if name[0] == UInt8(ascii: "l") { return UInt8(ascii: "<") }
            return name[0] == UInt8(ascii: "g") ? UInt8(ascii: ">") : nil
        case 3 where name[0] == UInt8(ascii: "a") && name[1] == UInt8(ascii: "m") && name[2] == UInt8(ascii: "p"):
            return UInt8(ascii: "&")
        case 4 where name.elementsEqual("quot".utf8): return UInt8(ascii: "\"")
        case 4 where name.elementsEqual("apos".utf8): return UInt8(ascii: "'")
        default: return nil
        }
    }
}
