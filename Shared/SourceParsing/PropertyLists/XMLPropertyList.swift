// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import JSON

/// A converter from an XML property list to JSON: dates become strings, data becomes null.
///
/// It is strict, because an app's library wrote the list. Truncated documents are rejected, and so are documents that
/// declare entities.
struct XMLPropertyList {
    static let maximumDepth = 100

    /// A start tag or an end tag.
    private struct Tag {
        var name: String
        var isEnd = false
        /// A Boolean value that indicates whether the tag both begins and ends its element, as `<true/>` does.
        var isEmpty = false
    }

    private let bytes: [UInt8]
    private let work: ParsingWork
    private var position = 0
    private var result: [UInt8] = []

    private init(_ bytes: [UInt8], work: ParsingWork) {
        self.bytes = bytes
        self.work = work
    }

    /// Returns an XML property list, converted to JSON.
    ///
    /// Throws if the root element is not `plist`, as in an HTML page.
    static func json(_ bytes: [UInt8], work: ParsingWork) throws(ParsingError) -> [UInt8] {
        var list = XMLPropertyList(bytes, work: work)
        list.result.reserveCapacity(bytes.count / 2)
        let root = try list.tag()
        guard root.name == "plist" else {
            throw list.problem(
                root.name.lowercased() == "html"
                    ? "the document is an HTML page; JSON was expected"
                    : "the document has the root <\(root.name.prefix(100))>; JSON or a property list was expected"
            )
        }
        guard !root.isEnd, !root.isEmpty else { throw list.problem("the property list is empty") }
        try list.value(of: try list.tag(), depth: 0)
        try list.end(of: "plist")
        return list.result
    }

    private mutating func value(of tag: Tag, depth: Int) throws(ParsingError) {
        guard depth < Self.maximumDepth else {
            throw problem("the property list is more than \(Self.maximumDepth) levels deep", kind: .tooComplex)
        }
        guard !tag.isEnd else { throw problem("</\(tag.name)> was found; a value was expected") }
        switch tag.name {
        case "dict": try dictionary(isEmpty: tag.isEmpty, depth: depth)
        case "array": try array(isEmpty: tag.isEmpty, depth: depth)
        case "string", "date": JSONText.append(utf8: try text(of: tag), to: &result)
        case "integer": try number(try text(of: tag)) { Int64($0).map(String.init) ?? UInt64($0).map(String.init) }
        case "real": try number(try text(of: tag)) { Double($0).map { $0.isFinite ? "\($0)" : "null" } }
        case "true", "false":
            _ = try text(of: tag)
            result += Array(tag.name.utf8)
        case "data":
            _ = try text(of: tag)
            result += Array("null".utf8)
        default: throw problem("<\(tag.name.prefix(100))> is not a value of a property list")
        }
    }

    private mutating func dictionary(isEmpty: Bool, depth: Int) throws(ParsingError) {
        result.append(UInt8(ascii: "{"))
        var isFirst = true
        while !isEmpty {
            let key = try tag()
            if key.isEnd, key.name == "dict" { break }
            guard key.name == "key", !key.isEnd else { throw problem("<key> was expected in a <dict>") }
            if !isFirst { result.append(UInt8(ascii: ",")) }
            isFirst = false
            JSONText.append(utf8: try text(of: key), to: &result)
            result.append(UInt8(ascii: ":"))
            try value(of: try tag(), depth: depth + 1)
        }
        result.append(UInt8(ascii: "}"))
    }

    private mutating func array(isEmpty: Bool, depth: Int) throws(ParsingError) {
        result.append(UInt8(ascii: "["))
        var isFirst = true
        while !isEmpty {
            let element = try tag()
            if element.isEnd, element.name == "array" { break }
            if !isFirst { result.append(UInt8(ascii: ",")) }
            isFirst = false
            try value(of: element, depth: depth + 1)
        }
        result.append(UInt8(ascii: "]"))
    }

    private mutating func number(_ text: [UInt8], _ read: (String) -> String?) throws(ParsingError) {
        let text = PlainText.trimmed(String(decoding: text, as: UTF8.self))
        guard let number = read(text) else { throw problem("'\(text.prefix(100))' is not a number") }
        result += Array(number.utf8)
    }

    /// Reads the next tag.
    ///
    /// Only white space, comments, processing instructions and a document type may precede the tag.
    private mutating func tag() throws(ParsingError) -> Tag {
        let begin = position
        defer { work.add(position - begin + 1) }
        if work.isExhausted { try work.check() }
        while true {
            while position < bytes.count, bytes[position] <= 32 { position += 1 }
            guard position < bytes.count else { throw problem("the property list ends early; it may be truncated") }
            guard bytes[position] == UInt8(ascii: "<") else {
                throw problem("the property list contains text where a tag was expected")
            }
            if starts(with: "<!--") {
                try skip(past: "-->")
            } else if starts(with: "<?") {
                try skip(past: "?>")
            } else if starts(with: "<!") {
                let start = position
                try skip(past: ">")
                guard !bytes[start..<position].contains(UInt8(ascii: "[")) else {
                    throw problem("the property list's document type contains declarations, which are not supported")
                }
            } else {
                break
            }
        }
        let start = position + 1
        try skip(past: ">")
        var inner = bytes[start..<(position - 1)]
        var tag = Tag(name: "")
        if inner.first == UInt8(ascii: "/") {
            tag.isEnd = true
            inner = inner.dropFirst()
        }
        if inner.last == UInt8(ascii: "/") {
            tag.isEmpty = true
            inner = inner.dropLast()
        }
        tag.name = String(decoding: inner.prefix { $0 > 32 }, as: UTF8.self)
        return tag
    }

    /// Reads the text of the element that `tag` begins, and moves past its end tag.
    ///
    /// Throws if the element contains another element.
    private mutating func text(of tag: Tag) throws(ParsingError) -> [UInt8] {
        var text: [UInt8] = []
        let begin = position
        defer { work.add(position - begin) }
        while !tag.isEmpty {
            guard position < bytes.count else { throw problem("the property list ends early; it may be truncated") }
            let byte = bytes[position]
            if byte == UInt8(ascii: "&") {
                try reference(into: &text)
            } else if byte != UInt8(ascii: "<") {
                text.append(byte)
                position += 1
            } else if starts(with: "<![CDATA[") {
                let start = position + 9
                position = start
                try skip(past: "]]>")
                text += bytes[start..<(position - 3)]
            } else if starts(with: "<!--") {
                try skip(past: "-->")
            } else {
                try end(of: tag.name)
                break
            }
        }
        return text
    }

    private mutating func end(of name: String) throws(ParsingError) {
        let end = try tag()
        guard end.isEnd, end.name == name else { throw problem("</\(name)> was expected") }
    }

    private mutating func reference(into text: inout [UInt8]) throws(ParsingError) {
        let maximumBytes = 12
        let head = bytes[position...].prefix(maximumBytes)
        guard let end = head.firstIndex(of: UInt8(ascii: ";")) else {
            throw problem("'&' does not begin an entity reference; write '&amp;' for an ampersand")
        }
        let name = String(decoding: bytes[(position + 1)..<end], as: UTF8.self)
        let scalar: Unicode.Scalar?
        switch name {
        case "lt": scalar = "<"
        case "gt": scalar = ">"
        case "amp": scalar = "&"
        case "quot": scalar = "\""
        case "apos": scalar = "'"
        case _ where name.hasPrefix("#x"): scalar = UInt32(name.dropFirst(2), radix: 16).flatMap(Unicode.Scalar.init)
        case _ where name.hasPrefix("#"): scalar = UInt32(name.dropFirst()).flatMap(Unicode.Scalar.init)
        default: scalar = nil
        }
        guard let scalar else { throw problem("'&\(name);' is not a known entity or character reference") }
        text += Array(String(Character(scalar)).utf8)
        position = end + 1
    }

    private func starts(with text: StaticString) -> Bool {
        text.withUTF8Buffer { bytes[position...].starts(with: $0) }
    }

    private mutating func skip(past text: String) throws(ParsingError) {
        let wanted = Array(text.utf8)
        while position + wanted.count <= bytes.count {
            if bytes[position..<(position + wanted.count)].elementsEqual(wanted) {
                position += wanted.count
                return
            }
            position += 1
        }
        throw problem("the property list ends early; it may be truncated")
    }

    private func problem(_ message: String, kind: ParsingError.Kind = .wrongFormat) -> ParsingError {
        ParsingError(kind, message, at: .of(position, in: bytes))
    }
}
