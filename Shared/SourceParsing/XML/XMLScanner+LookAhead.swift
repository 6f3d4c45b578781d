// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// Functions that search the document after the current position.
///
/// Together, they search at most four times the document's size; after that, their result is false.
extension XMLScanner {
    /// Returns whether an end tag with the name `bytes[name]` follows within the next 64 KiB.
    mutating func isClosedSoon(_ name: Range<Int>) -> Bool {
        let end = min(bytes.count, position + Self.lookAheadBytes)
        var next = position
        while let found = index(of: UInt8(ascii: "<"), from: next, to: end), lookAhead < 4 * bytes.count {
            lookAhead += found - next + name.count
            next = found + 1
            guard found + 2 + name.count <= end, bytes[found + 1] == UInt8(ascii: "/") else { continue }
            let rest = bytes[(found + 2)..<(found + 2 + name.count)]
            if rest.elementsEqual(bytes[name]), !Self.isNameByte(bytes[min(found + 2 + name.count, bytes.count - 1)]) {
                return true
            }
        }
        lookAhead += max(0, end - next)
        return false
    }

    /// Returns whether the item that began last is part of the element with the name `bytes[outer]`, which encloses it.
    ///
    /// It is part of this element if an end tag of the element follows within the next 64 KiB, behind the end tag of the
    /// item and of any other item there. Otherwise, the end tag of the element is missing before the item.
    mutating func isItemInside(_ outer: Range<Int>) -> Bool {
        let end = min(bytes.count, position + Self.lookAheadBytes)
        let item = nameRange
        var depth = isSelfClosing ? 0 : 1
        var next = position
        while depth >= 0, let found = index(of: UInt8(ascii: "<"), from: next, to: end), lookAhead < 4 * bytes.count {
            lookAhead += found - next + item.count
            next = found + 1
            guard next < end else { break }
            if bytes[next] == UInt8(ascii: "!") {
                // Tags in a CDATA section are text.
                guard isTag(Self.literal, at: next) else { continue }
                guard let close = index(of: "]]>", from: next, to: end) else { break }
                lookAhead += close - next
                next = close
                continue
            }
            guard bytes[next] == UInt8(ascii: "/") else {
                guard isTag(bytes[item], at: next) else { continue }
                guard let close = index(of: UInt8(ascii: ">"), from: next, to: end) else { break }
                if bytes[close - 1] != UInt8(ascii: "/") { depth += 1 }
                lookAhead += close - next
                next = close
                continue
            }
            if isTag(bytes[item], at: next + 1) {
                depth -= 1
            } else if depth == 0, isTag(bytes[outer], at: next + 1) {
                return true
            }
        }
        lookAhead += max(0, end - next)
        return false
    }

    private static let literal = Array("![CDATA".utf8)

    /// Returns whether a tag has this name; `start` is the position of the name in the tag.
    private func isTag(_ name: some Collection<UInt8>, at start: Int) -> Bool {
        let end = start + name.count
        guard end < bytes.count else { return false }
        return bytes[start..<end].elementsEqual(name)
            && (bytes[end] == UInt8(ascii: "[") || !Self.isNameByte(bytes[end]))
    }
}
