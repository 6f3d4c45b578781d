// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// Makes a document in UTF-8 that libxml2 reads whole out of what publishers write.
///
/// Control characters that XML forbids go, a document type goes and only its short texts stay as entities, HTML's named
/// characters become numbers, and an ampersand or a less-than sign that begins nothing stands for itself. Line breaks stay where they are.
/// It takes time in proportion to the bytes.
struct XMLRepair {
    /// libxml2 compares each attribute of a tag with all others.
    static let maximumAttributes = 256
    /// The longest name of a character in HTML has fewer letters.
    private static let maximumNameBytes = 32

    struct Refusal: Error {
        let line: Int
    }

    private let input: [UInt8]
    private var output: [UInt8] = []
    private var position = 0
    private var documentType = DocumentType()

    private init(_ input: [UInt8]) {
        self.input = input
    }

    static func repair(_ bytes: [UInt8]) throws(Refusal) -> [UInt8] {
        var repair = XMLRepair(bytes)
        repair.output.reserveCapacity(bytes.count + bytes.count / 16)
        try repair.run()
        return repair.output
    }

    private mutating func run() throws(Refusal) {
        // An XML declaration counts at the very beginning only.
        while position < input.count, Self.isSpace(input[position]) || Self.isForbidden(input[position]) {
            position += 1
        }
        while position < input.count {
            switch input[position] {
            case UInt8(ascii: "<"): try markup()
            case UInt8(ascii: "&"): reference()
            default: copyOne()
            }
        }
    }

    private mutating func markup() throws(Refusal) {
        if starts(with: "<![CDATA[") {
            copy(through: "]]>")
        } else if starts(with: "<!--") {
            copy(through: "-->")
        } else if starts(with: "<?") {
            copy(through: "?>")
        } else if starts(with: "<!") {
            skipDeclaration()
        } else if position + 1 < input.count, Self.canBeginTag(input[position + 1]) {
            try tag()
        } else {
            output.append(contentsOf: "&lt;".utf8)
            position += 1
        }
    }

    /// Copies a tag up to its end, or up to the next less-than sign, which cannot be within.
    ///
    /// One that the document's end cuts off is left out: its name would be another.
    private mutating func tag() throws(Refusal) {
        var quote: UInt8?
        var attributes = 0
        let start = output.count
        copyOne()
        while position < input.count {
            let byte = input[position]
            switch byte {
            case UInt8(ascii: "<"):
                return
            case UInt8(ascii: "&"):
                reference()
                continue
            case UInt8(ascii: ">") where quote == nil:
                copyOne()
                return
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                if quote == nil {
                    quote = byte
                    attributes += 1
                    guard attributes <= Self.maximumAttributes else {
                        throw Refusal(line: 1 + input[..<position].count(where: { $0 == 10 }))
                    }
                } else if quote == byte {
                    quote = nil
                }
            default:
                break
            }
            copyOne()
        }
        output.removeSubrange(start...)
    }

    /// Leaves out a document type with its internal subset, but for its line breaks; its short entities are kept.
    private mutating func skipDeclaration() {
        var quote: UInt8?
        var isInSubset = false
        var declaration: Int?
        while position < input.count {
            let byte = input[position]
            if quote == nil, starts(with: "<!--") {
                skip(through: "-->")
                continue
            }
            position += 1
            switch byte {
            case 10: output.append(byte)
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                if quote == nil { quote = byte } else if quote == byte { quote = nil }
            case UInt8(ascii: "[") where quote == nil: isInSubset = true
            case UInt8(ascii: "]") where quote == nil: isInSubset = false
            case UInt8(ascii: "<") where quote == nil && isInSubset: declaration = position + 1
            case UInt8(ascii: ">") where quote == nil && !isInSubset: return
            case UInt8(ascii: ">") where quote == nil:
                if let start = declaration, start < position - 1 { documentType.take(input[start..<(position - 1)]) }
                declaration = nil
            default: break
            }
        }
    }

    private mutating func reference() {
        let limit = min(input.count, position + 1 + Self.maximumNameBytes)
        guard let end = input[(position + 1)..<limit].firstIndex(of: UInt8(ascii: ";")) else {
            output.append(contentsOf: "&amp;".utf8)
            position += 1
            return
        }
        let name = String(decoding: input[(position + 1)..<end], as: UTF8.self)
        if name.hasPrefix("#") {
            guard let scalar = HTMLCharacter.numbered(name.dropFirst()) else {
                output.append(contentsOf: "&amp;".utf8)
                position += 1
                return
            }
            output.append(contentsOf: "&#\(scalar.value);".utf8)
        } else if ["amp", "lt", "gt", "quot", "apos"].contains(name) {
            output.append(contentsOf: "&\(name);".utf8)
        } else if let text = documentType.text(of: name) {
            for byte in text {
                switch byte {
                case UInt8(ascii: "\""): output.append(contentsOf: "&quot;".utf8)
                case UInt8(ascii: "'"): output.append(contentsOf: "&apos;".utf8)
                case _ where Self.isForbidden(byte): continue
                default: output.append(byte)
                }
            }
        } else if let scalar = HTMLCharacter.named(name) {
            output.append(contentsOf: "&#\(scalar.value);".utf8)
        } else {
            output.append(contentsOf: "&amp;".utf8)
            position += 1
            return
        }
        position = end + 1
    }

    private mutating func copyOne() {
        let byte = input[position]
        if byte == 0xc2, copyControl() { return }
        if !Self.isForbidden(byte) { output.append(byte) }
        position += 1
    }

    /// Copies a control character of the second set as what its number means in Windows-1252: nobody means the control.
    private mutating func copyControl() -> Bool {
        guard position + 1 < input.count, (0x80...0x9f).contains(input[position + 1]) else { return false }
        output.append(contentsOf: String(HTMLCharacter.windows1252(input[position + 1])).utf8)
        position += 2
        return true
    }

    private mutating func copy(through end: StaticString) {
        let from = position
        skip(through: end, countingLines: false)
        let end = position
        position = from
        while position < end { copyOne() }
    }

    private mutating func skip(through end: StaticString, countingLines: Bool = true) {
        let length = end.utf8CodeUnitCount
        while position < input.count {
            if starts(with: end) {
                position += length
                return
            }
            if countingLines, input[position] == 10 { output.append(10) }
            position += 1
        }
    }

    private func starts(with text: StaticString) -> Bool {
        guard position + text.utf8CodeUnitCount <= input.count else { return false }
        for index in 0..<text.utf8CodeUnitCount where input[position + index] != text.utf8Start[index] { return false }
        return true
    }

    private static func canBeginTag(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
            UInt8(ascii: ":"), UInt8(ascii: "/"), 0x80...0xff:
            true
        default: false
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 32 || (9...13).contains(byte)
    }

    private static func isForbidden(_ byte: UInt8) -> Bool {
        byte < 32 && byte != 9 && byte != 10 && byte != 13
    }
}
