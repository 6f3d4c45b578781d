// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import Glibc
internal import WidgetSchema

/// A function that separates markup from text in the titles of feeds.
///
/// RSS does not say whether a title is HTML. Most titles are HTML with a few inline elements, but authors also write
/// `Vec<T>`, `x<y` or `<foo@example.org>` and mean the characters.
enum TitleMarkup {
    /// The elements that occur in titles and have an end tag.
    private static let elements: Set<String> = [
        "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "blockquote", "center", "cite", "code", "data", "del", "dfn",
        "div", "em", "font", "h1", "h2", "h3", "h4", "h5", "h6", "i", "ins", "kbd", "label", "li", "mark", "nobr", "ol",
        "p", "pre", "q", "rb", "rp", "rt", "ruby", "s", "samp", "script", "small", "span", "strike", "strong", "style",
        "sub", "sup", "time", "tt", "u", "ul", "var",
    ]
    /// The elements that occur in titles and have no end tag.
    private static let voidElements: Set<String> = ["br", "hr", "img", "wbr"]
    private static let maximumNameBytes = 10

    /// Returns HTML in which every less-than sign that begins no tag is escaped.
    ///
    /// A tag is a start tag of a known element together with its end tag, or the tag of a known element that has no end
    /// tag. Comments and CDATA sections are markup, too.
    static func escaped(_ title: String) -> String {
        PlainText.withBytes(of: title) { bytes in
            guard let base = bytes.baseAddress, memchr(base, Int32(UInt8(ascii: "<")), bytes.count) != nil else {
                return title
            }
            let kept = tags(in: bytes)
            var result: [UInt8] = []
            result.reserveCapacity(bytes.count + 16)
            for (index, byte) in bytes.enumerated() {
                if byte == UInt8(ascii: "<"), !kept.contains(index) {
                    result += PlainText.reference(byte)
                } else {
                    result.append(byte)
                }
            }
            return String(decoding: result, as: UTF8.self)
        }
    }

    /// Returns the positions of the less-than signs that begin markup.
    private static func tags(in bytes: UnsafeBufferPointer<UInt8>) -> Set<Int> {
        var kept: Set<Int> = []
        let last = bytes.lastIndex(of: UInt8(ascii: ">")) ?? -1
        /// The positions of the start tags that have no end tag so far, by their names.
        var open: [String: [Int]] = [:]
        var sections = [("<!--", "-->"), ("<![CDATA[", "]]>")]
        var position = 0
        while let start = bytes[position...].firstIndex(of: UInt8(ascii: "<")) {
            position = start + 1
            guard position < last else { break }
            if let section = sections.firstIndex(where: { bytes[start...].starts(with: $0.0.utf8) }) {
                let close = Array(sections[section].1.utf8)
                guard let end = UnsafeBufferPointer(rebasing: bytes[position...]).firstRange(of: close) else {
                    // No later section ends either.
                    sections.remove(at: section)
                    continue
                }
                kept.insert(start)
                position += end.upperBound
                continue
            }
            let isEnd = bytes[position] == UInt8(ascii: "/")
            guard let name = name(in: bytes, at: isEnd ? position + 1 : position) else { continue }
            if isEnd {
                guard let opening = open[name]?.popLast() else { continue }
                kept.formUnion([opening, start])
            } else if voidElements.contains(name) {
                kept.insert(start)
            } else if elements.contains(name) {
                open[name, default: []].append(start)
            }
        }
        return kept
    }

    /// Returns the name of the tag in lower case, whose name begins at `start`; nil if no tag begins there.
    private static func name(in bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> String? {
        var end = start
        while end < bytes.count, end - start <= maximumNameBytes, bytes[end].isLetter || bytes[end].isDigit { end += 1 }
        guard end > start, end < bytes.count else { return nil }
        switch bytes[end] {
        case 9, 10, 13, 32, UInt8(ascii: ">"), UInt8(ascii: "/"):
            return String(decoding: bytes[start..<end], as: UTF8.self).lowercased()
        default: return nil
        }
    }
}
