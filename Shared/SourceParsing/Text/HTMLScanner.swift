// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import WidgetSchema

/// A scanner that reads HTML once and keeps its text, and start tags with certain names.
struct HTMLScanner {
    /// The tags that do not separate words; all other tags do.
    private static let inlineTags: Set<String> = [
        "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em", "font", "i",
        "ins", "kbd", "mark", "q", "s", "samp", "small", "span", "strike", "strong", "sub", "sup", "time", "tt", "u",
        "var", "wbr",
    ]
    /// The elements whose content is skipped, because it is not part of the visible text.
    private static let hiddenTags: Set<String> = ["script", "style", "template", "noscript", "iframe", "title"]
    /// The maximum length of a character reference in bytes, with the `;` but without the `&`.
    private static let maximumReferenceBytes = 32
    private static let pieceBytes = 1024

    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0
    private var line: LineBuilder
    /// The position of the last `>`: no tag ends after it.
    private let lastEnd: Int
    /// A Boolean value that indicates whether quotation marks are ignored, because an unclosed one was found.
    private var ignoresQuotes = false
    /// The names of the start tags that are kept, in lower case.
    private let keptTags: Set<String>
    /// The start tags that were kept, with the bytes between their name and their `>`.
    private(set) var startTags: [(name: String, attributes: UnsafeBufferPointer<UInt8>)] = []

    init(_ html: UnsafeBufferPointer<UInt8>, limit: Int, keepsTags: Set<String> = []) {
        bytes = html
        keptTags = keepsTags
        line = LineBuilder(limit: limit)
        lastEnd = bytes.lastIndex(of: UInt8(ascii: ">")) ?? -1
    }

    mutating func run() -> String {
        while position < bytes.count, !line.isFull {
            switch bytes[position] {
            case UInt8(ascii: "<"): markup()
            case UInt8(ascii: "&"): reference()
            default:
                let start = position
                // Long texts are added in pieces, so that the limit is checked in between.
                let end = min(bytes.count, start + Self.pieceBytes)
                while position < end, bytes[position] != UInt8(ascii: "<"), bytes[position] != UInt8(ascii: "&") {
                    position += 1
                }
                while position < bytes.count, bytes[position] & 0xc0 == 0x80 { position += 1 }
                add(start..<position)
            }
        }
        return line.text
    }

    private mutating func add(_ range: Range<Int>) {
        line.append(UnsafeBufferPointer(rebasing: bytes[range]))
    }

    private mutating func markup() {
        let next = position + 1 < bytes.count ? bytes[position + 1] : 0
        guard position < lastEnd, next.isLetter || next == UInt8(ascii: "/") || next == 33 || next == 63 else {
            line.append("<")
            position += 1
            return
        }
        if starts(with: "<!--") {
            position = end(of: "-->", from: position + 4) ?? bytes.count
            return
        }
        if starts(with: "<![cdata[") {
            let start = position + 9
            let close = end(of: "]]>", from: start)
            add(start..<(close.map { $0 - 3 } ?? bytes.count))
            position = close ?? bytes.count
            return
        }
        let isClosing = next == UInt8(ascii: "/")
        let nameStart = position + (isClosing ? 2 : 1)
        var nameEnd = nameStart
        while nameEnd < bytes.count, nameEnd - nameStart < 32, bytes[nameEnd].isLetter || bytes[nameEnd].isDigit {
            nameEnd += 1
        }
        let name = String(decoding: bytes[nameStart..<nameEnd], as: UTF8.self).lowercased()
        position = endOfTag(from: nameEnd)
        if !isClosing, keptTags.contains(name) {
            startTags.append((name, UnsafeBufferPointer(rebasing: bytes[nameEnd..<(position - 1)])))
        }
        if !Self.inlineTags.contains(name) { line.append(" ") }
        if !isClosing, Self.hiddenTags.contains(name) {
            position = end(of: "</" + name, from: position) ?? bytes.count
            while position < bytes.count, bytes[position] != UInt8(ascii: ">") { position += 1 }
            position = min(position + 1, bytes.count)
        }
    }

    /// Returns the position after the `>` that ends a tag; `start` is the position after the tag's name.
    ///
    /// A `>` inside quotation marks does not end a tag. If a quotation mark is not closed, all quotation marks are
    /// ignored. The caller has checked that at least one `>` follows.
    private mutating func endOfTag(from start: Int) -> Int {
        if !ignoresQuotes {
            var quote: UInt8?
            for index in start..<bytes.count {
                let byte = bytes[index]
                if let open = quote {
                    if byte == open { quote = nil }
                } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                    quote = byte
                } else if byte == UInt8(ascii: ">") {
                    return index + 1
                }
            }
            ignoresQuotes = true
        }
        return (bytes[start...].firstIndex(of: UInt8(ascii: ">")) ?? bytes.count - 1) + 1
    }

    private mutating func reference() {
        let limit = min(bytes.count, position + 1 + Self.maximumReferenceBytes)
        guard let end = bytes[(position + 1)..<limit].firstIndex(of: UInt8(ascii: ";")) else {
            line.append("&")
            position += 1
            return
        }
        switch HTMLCharacter.referred(bytes[(position + 1)..<end]) {
        case .character(let scalar): line.append(scalar)
        case .nothing: break
        case .surrogate(let half):
            if let (scalar, length) = HTMLCharacter.completed(half, by: bytes[(end + 1)...]) {
                line.append(scalar)
                position = end + 1 + length
                return
            }
            line.append(HTMLCharacter.replacement)
        case nil:
            line.append("&")
            position += 1
            return
        }
        position = end + 1
    }

    /// Returns the position after the first occurrence of `text` at or after `start`; nil if there is none.
    ///
    /// The search ignores the case of ASCII letters. `text` must be in lower case.
    private func end(of text: String, from start: Int) -> Int? {
        let text = Array(text.utf8)
        var index = start
        while index + text.count <= bytes.count {
            if matches(text, at: index) { return index + text.count }
            index += 1
        }
        return nil
    }

    private func starts(with text: String) -> Bool {
        let text = Array(text.utf8)
        return position + text.count <= bytes.count && matches(text, at: position)
    }

    private func matches(_ text: [UInt8], at index: Int) -> Bool {
        for offset in text.indices {
            let byte = bytes[index + offset]
            let lower = (65...90).contains(byte) ? byte + 32 : byte
            if lower != text[offset] { return false }
        }
        return true
    }
}
