// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// Functions that read the attributes of a start tag.
extension XMLScanner {
    /// Reads the attributes up to the tag's end; returns false if the document ends first.
    ///
    /// `tag` is the offset of the tag's `<`. If another `<` follows before the tag's `>`, the tag ends there.
    mutating func readAttributes(of tag: Int) -> Bool {
        while position < bytes.count {
            let byte = bytes[position]
            switch byte {
            case UInt8(ascii: ">"):
                position += 1
                return true
            case UInt8(ascii: "<"):
                // A less-than sign cannot occur within a tag, so the end of this tag is missing.
                note("a tag without its '>'", at: tag)
                return true
            case UInt8(ascii: "/"):
                position += 1
                isSelfClosing = position < bytes.count && bytes[position] == UInt8(ascii: ">")
            case 0...32, UInt8(ascii: "="), UInt8(ascii: "\""), UInt8(ascii: "'"):
                position += 1
            default:
                readAttribute()
            }
        }
        return false
    }

    private mutating func readAttribute() {
        let start = position
        let end = endOfName(from: start)
        position = end
        skipSpace()
        var value = position..<position
        if position < bytes.count, bytes[position] == UInt8(ascii: "=") {
            position += 1
            skipSpace()
            value = attributeValue()
        } else {
            note("an attribute without a value", at: start)
        }
        guard end > start, attributes.count < Self.maximumAttributes else {
            // Skip characters that can be neither name nor value, such as a stray quotation mark.
            if end == start { position = max(position, start + 1) }
            return
        }
        attributes.append(RawAttribute(name: names.entry(start..<end), value: value))
    }

    private mutating func attributeValue() -> Range<Int> {
        let start = position
        guard position < bytes.count else { return start..<start }
        let quote = bytes[position]
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            note("an attribute without quotes", at: start)
            while position < bytes.count, bytes[position] > 32, bytes[position] != UInt8(ascii: ">"),
                bytes[position] != UInt8(ascii: "<")
            {
                position += 1
            }
            return start..<position
        }
        let valueStart = start + 1
        let close = closingQuote(quote, from: valueStart)
        let sign = index(of: UInt8(ascii: "<"), from: valueStart, to: close ?? bytes.count)
        guard let sign else {
            guard let close else {
                // The document ends within the value.
                position = bytes.count
                return valueStart..<bytes.count
            }
            position = close + 1
            return valueStart..<close
        }
        // A less-than sign is not allowed in a value; if a tag follows it, the closing quotation mark is missing.
        if let close, index(of: UInt8(ascii: ">"), from: sign, to: close) == nil {
            position = close + 1
            return valueStart..<close
        }
        note("an attribute's value that does not end", at: start)
        position = index(of: UInt8(ascii: ">"), from: valueStart, to: sign) ?? sign
        return valueStart..<position
    }

    private func closingQuote(_ quote: UInt8, from start: Int) -> Int? {
        let first = index(of: quote, from: start)
        guard allowsUnescapedQuotes, let first, !endsValue(first) else { return first }
        let limit = index(of: UInt8(ascii: "<"), from: first) ?? bytes.count
        var next = first
        while let found = index(of: quote, from: next + 1, to: limit) {
            if endsValue(found) { return found }
            next = found
        }
        return first
    }

    /// Returns whether the quotation mark at an offset is followed by the end of the tag or by another attribute.
    private func endsValue(_ quote: Int) -> Bool {
        var place = quote + 1
        func skip(_ isSkipped: (UInt8) -> Bool) {
            while place < bytes.count, isSkipped(bytes[place]) { place += 1 }
        }
        skip { $0 <= 32 }
        guard place < bytes.count else { return true }
        if [UInt8(ascii: ">"), UInt8(ascii: "/"), UInt8(ascii: "?")].contains(bytes[place]) { return true }
        let end = min(endOfName(from: place), place + Self.longestAttributeName)
        guard end > place else { return false }
        place = end
        skip { $0 <= 32 }
        guard place < bytes.count, bytes[place] == UInt8(ascii: "=") else { return false }
        place += 1
        skip { $0 <= 32 }
        return place < bytes.count && [UInt8(ascii: "\""), UInt8(ascii: "'")].contains(bytes[place])
    }

    /// The maximum number of bytes that `endsValue` accepts as the name of an attribute.
    private static let longestAttributeName = 64
}
