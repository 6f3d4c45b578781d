// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A scanner that reads a document in UTF-8 once and reports its contents, even if the document is not well-formed.
///
/// It reads XML 1.0 with namespaces, and continues after every syntax error. An ampersand or a less-than sign that is
/// not part of markup is literal. An end tag also ends the elements inside its element. An end tag without a start tag
/// is skipped. The scanner never accesses a URL or a file, and it expands only the entities that `DocumentType` stores.
/// Each step takes time proportional to the bytes it passes, and nesting does not use the call stack. The scanner must
/// not outlive the bytes that it was created with.
struct XMLScanner {
    /// The maximum number of attributes of an element; further attributes are skipped.
    static let maximumAttributes = 256
    /// The maximum nesting depth; deeper elements end the scan.
    static let maximumDepth = 1024
    static let lookAheadBytes = 64 * 1024

    enum Event {
        /// An element begins; see `name`, `vocabulary` and `element`.
        case start
        /// Characters inside the innermost open element; if no element is open, characters outside the root.
        case text(XMLText)
        /// The element at this depth has ended; the depth of the root is 1.
        ///
        /// Open elements inside this element end too, without events of their own.
        case end(depth: Int)
        /// The document has ended.
        case finish
    }

    /// An error that makes a document not well-formed.
    struct Problem {
        let message: String
        let offset: Int
    }

    /// An attribute whose value is not decoded yet.
    struct RawAttribute {
        let name: XMLNameTable.Entry
        let value: Range<Int>
    }

    let bytes: UnsafeBufferPointer<UInt8>
    let work: ParsingWork
    /// A Boolean value that indicates whether an attribute's value may contain the quotation mark that encloses it.
    ///
    /// If true, a quotation mark ends the value only if the tag's end or another attribute follows.
    var allowsUnescapedQuotes = false
    var position = 0
    private(set) var firstProblem: Problem?
    /// A Boolean value that indicates whether the scan ended at `maximumDepth`, before the document's end.
    private(set) var isTooDeep = false
    private(set) var documentType = DocumentType()

    /// The name of the start tag that was read last.
    private(set) var name: XMLNameTable.Entry
    private(set) var tag = 0..<0
    /// The offset in `bytes` of the last start tag's name, without its prefix.
    var localNameStart: Int { tag.lowerBound + 1 + name.localOffset }
    var isSelfClosing = false
    /// The range of the last end tag's name without prefix; empty if the element ended with a self-closing start tag.
    private(set) var endName = 0..<0
    var attributes: [RawAttribute] = []
    /// The buffer for decoded values of attributes.
    private var values = XMLTextDecoder()

    var names: XMLNameTable
    /// The folded numbers of the names of all open elements, from the root inwards; see ``XMLNameTable/Entry/folded``.
    private var open: [Int32] = []
    /// The number of elements in `open` with each folded number; the index is the folded number.
    private var openCounts = [Int32](repeating: 0, count: XMLNameTable.maximumNames + 1)
    private var namespaces = XMLNamespaces()
    private var bases: [(depth: Int, base: String)] = []
    /// The vocabulary of the root element by its name, if its namespace is a foreign one; see ``XMLNamespaces/adopted``.
    var adopted: XMLElement.Vocabulary? { namespaces.adopted?.vocabulary }
    private var hasRoot = false
    private var hasPendingEnd = false
    /// The number of bytes that all calls of `isClosedSoon` and `isItemInside` together have searched so far.
    var lookAhead = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>, work: ParsingWork = ParsingWork()) {
        self.bytes = bytes
        self.work = work
        names = XMLNameTable(bytes)
        name = XMLNameTable.Entry(range: 0..<0, local: .unknown, localOffset: 0, prefix: 0, folded: 0)
        attributes.reserveCapacity(16)
        open.reserveCapacity(32)
    }

    /// The number of open elements; after a start event, it includes the new element.
    var depth: Int { open.count }

    mutating func next() -> Event {
        let start = position
        defer { work.add(position - start + 1) }
        guard !work.isExhausted else {
            position = bytes.count
            return .finish
        }
        if hasPendingEnd {
            hasPendingEnd = false
            endName = 0..<0
            return close(to: open.count)
        }
        while position < bytes.count {
            guard bytes[position] == UInt8(ascii: "<"), position + 1 < bytes.count else { return text(from: position) }
            let following = bytes[position + 1]
            if Self.isNameStart(following) {
                if let event = startTag() { return event }
            } else if following == UInt8(ascii: "/") {
                if let event = endTag() { return event }
            } else if following == UInt8(ascii: "!") {
                if let event = declaration() { return event }
            } else if following == UInt8(ascii: "?") {
                skip(through: "?>", from: position + 2)
            } else {
                note("a '<' that does not begin a tag; write '&lt;' for a less-than sign", at: position)
                return text(from: position)
            }
        }
        if !open.isEmpty { note("the document ends within an element", at: bytes.count) }
        return .finish
    }

    /// The range of the name of the start tag that was read last.
    var nameRange: Range<Int> { (tag.lowerBound + 1)..<(tag.lowerBound + 1 + name.range.count) }

    /// Turns the element that began last into a child of the element at `depth`.
    ///
    /// For example, `reparent(to: 1)` after `<a><b><c>` ends `b`, whose end tag is missing, and makes `c` a child of
    /// `a`.
    mutating func reparent(to depth: Int) {
        guard let last = open.last, open.count > depth + 1 else { return }
        _ = close(to: depth + 1)
        push(last)
    }

    // MARK: - The last start tag

    /// The vocabulary of the start tag that was read last.
    var vocabulary: XMLElement.Vocabulary {
        mutating get { namespaces.vocabulary(ofPrefix: name.prefix, names, work) }
    }

    /// Returns the start tag that was read last, with its attributes decoded.
    mutating func element() -> XMLElement {
        let vocabulary = self.vocabulary
        guard !attributes.isEmpty else {
            return XMLElement(vocabulary: vocabulary, name: name.local, attributes: [], base: bases.last?.base)
        }
        var decoded: [XMLElement.Attribute] = []
        decoded.reserveCapacity(attributes.count)
        for attribute in attributes {
            decoded.append(
                XMLElement.Attribute(
                    name: attribute.name.local,
                    isQualified: attribute.name.prefix != XMLNameTable.noPrefix,
                    value: string(attribute.value)
                )
            )
        }
        return XMLElement(vocabulary: vocabulary, name: name.local, attributes: decoded, base: bases.last?.base)
    }

    /// The name of the start tag that was read last, as it is written in the document.
    var foundName: String { String(decoding: bytes[name.range], as: UTF8.self) }

    private mutating func string(_ range: Range<Int>) -> String {
        work.add(range.count)
        guard index(of: UInt8(ascii: "&"), from: range.lowerBound, to: range.upperBound) != nil else {
            return String(decoding: UnsafeBufferPointer(rebasing: bytes[range]), as: UTF8.self)
        }
        values.clear()
        values.append(UnsafeBufferPointer(rebasing: bytes[range]), &documentType)
        return values.string
    }

    /// Decodes a piece of text, and appends the characters to `decoder`.
    mutating func decode(_ text: XMLText, into decoder: inout XMLTextDecoder) {
        let piece = UnsafeBufferPointer(rebasing: bytes[text.range])
        work.add(piece.count)
        if text.isLiteral { decoder.append(literal: piece) } else { decoder.append(piece, &documentType) }
    }

    // MARK: - Text and declarations

    /// Reads text from `start` to the next less-than sign; a less-than sign at `start` itself is part of the text.
    private mutating func text(from start: Int) -> Event {
        position = index(of: UInt8(ascii: "<"), from: start + 1) ?? bytes.count
        return .text(XMLText(range: start..<position, isLiteral: false))
    }

    private mutating func declaration() -> Event? {
        if starts(with: "<![CDATA[") {
            let start = position + 9
            guard let end = index(of: "]]>", from: start) else {
                note("a CDATA section that does not end", at: position)
                position = bytes.count
                return nil
            }
            position = end + 3
            return .text(XMLText(range: start..<end, isLiteral: true))
        }
        if starts(with: "<!--") {
            skip(through: "-->", from: position + 4)
        } else {
            skipDocumentType()
        }
        return nil
    }

    private mutating func skip(through end: StaticString, from start: Int) {
        guard let found = index(of: end, from: start) else {
            note("a comment or an instruction that does not end", at: position)
            position = bytes.count
            return
        }
        position = found + end.utf8CodeUnitCount
    }

    /// Skips a document type with its internal subset, and stores the entities that are safe to expand.
    private mutating func skipDocumentType() {
        var quote: UInt8?
        var isInSubset = false
        var declaration: Int?
        while position < bytes.count {
            let byte = bytes[position]
            if quote == nil, byte == UInt8(ascii: "<"), starts(with: "<!--") {
                skip(through: "-->", from: position + 4)
                continue
            }
            position += 1
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                if quote == nil { quote = byte } else if quote == byte { quote = nil }
            case UInt8(ascii: "[") where quote == nil: isInSubset = true
            case UInt8(ascii: "]") where quote == nil: isInSubset = false
            case UInt8(ascii: "<") where quote == nil && isInSubset: declaration = position + 1
            case UInt8(ascii: ">") where quote == nil && !isInSubset: return
            case UInt8(ascii: ">") where quote == nil:
                if let start = declaration, start < position - 1 { documentType.take(bytes[start..<(position - 1)]) }
                declaration = nil
            default: break
            }
        }
    }

    // MARK: - Tags

    private mutating func startTag() -> Event? {
        let start = position
        let nameEnd = endOfName(from: start + 1)
        attributes.removeAll(keepingCapacity: true)
        isSelfClosing = false
        position = nameEnd
        guard position < bytes.count else { return skipTruncatedTag(start) }
        if bytes[position] == UInt8(ascii: ">") {
            position += 1
        } else if !readAttributes(of: start) {
            return skipTruncatedTag(start)
        }
        name = names.entry((start + 1)..<nameEnd)
        tag = start..<position
        guard open.count < Self.maximumDepth else {
            note("elements are nested deeper than \(Self.maximumDepth)", at: start)
            isTooDeep = true
            position = bytes.count
            return nil
        }
        push(name.folded)
        if !attributes.isEmpty { takeDeclarations() }
        if !hasRoot {
            hasRoot = true
            namespaces.adoptRoot(name, vocabulary: vocabulary)
        }
        hasPendingEnd = isSelfClosing
        return .start
    }

    /// Skips a tag that is cut off by the end of the document; always returns nil.
    ///
    /// Such a tag is not used, because its name may be incomplete.
    private mutating func skipTruncatedTag(_ start: Int) -> Event? {
        note("the document ends within a tag", at: start)
        position = bytes.count
        return nil
    }

    private mutating func endTag() -> Event? {
        let start = position
        let nameStart = start + 2
        let nameEnd = endOfName(from: nameStart)
        position = nameEnd
        while position < bytes.count, bytes[position] != UInt8(ascii: ">"), bytes[position] != UInt8(ascii: "<") {
            position += 1
        }
        if position >= bytes.count {
            // Nothing of the document is missing behind the name of the root element.
            guard nameEnd > nameStart, names.entry(nameStart..<nameEnd).folded == open.first else {
                return skipTruncatedTag(start)
            }
            note("the document ends within a tag", at: start)
        } else if bytes[position] == UInt8(ascii: ">") {
            position += 1
        }
        guard nameEnd > nameStart, let innermost = open.last else {
            note("an end tag without a start tag", at: start)
            return nil
        }
        let entry = names.entry(nameStart..<nameEnd)
        endName = (nameStart + entry.localOffset)..<nameEnd
        if innermost == entry.folded { return close(to: open.count) }
        note("an end tag that does not match the innermost open element", at: start)
        // An end tag may lack the prefix of its start tag, such as `</date>` for `<dc:date>`.
        if entry.prefix == XMLNameTable.noPrefix, names.isLocal(entry, of: innermost) { return close(to: open.count) }
        guard openCounts[Int(entry.folded)] > 0, let depth = open.lastIndex(of: entry.folded) else {
            return nil
        }
        return close(to: depth + 1)
    }

    private mutating func push(_ folded: Int32) {
        open.append(folded)
        openCounts[Int(folded)] += 1
    }

    /// Ends the element at a depth and all elements inside it.
    private mutating func close(to depth: Int) -> Event {
        while open.count >= depth, let last = open.popLast() { openCounts[Int(last)] -= 1 }
        namespaces.close(to: depth)
        while let last = bases.last, last.depth >= depth { bases.removeLast() }
        return .end(depth: depth)
    }

    // MARK: - Namespaces and bases

    /// Applies the attributes that declare namespaces (`xmlns`) or the base of relative links (`xml:base`).
    ///
    /// The applied attributes are removed from `attributes`.
    private mutating func takeDeclarations() {
        var kept = 0
        for index in attributes.indices {
            let attribute = attributes[index]
            if attribute.name.prefix == XMLNameTable.noPrefix {
                if attribute.name.local == .xmlns {
                    bind(XMLNameTable.noPrefix, to: attribute)
                    continue
                }
            } else {
                switch names.prefixes[Int(attribute.name.prefix)] {
                case "xmlns":
                    let local = attribute.name.range.dropFirst(attribute.name.localOffset)
                    let prefix = names.prefixNumber(String(decoding: bytes[local], as: UTF8.self))
                    bind(prefix, to: attribute)
                    continue
                case "xml" where attribute.name.local == .base:
                    takeBase(string(attribute.value))
                    continue
                default: break
                }
            }
            attributes[kept] = attribute
            kept += 1
        }
        attributes.removeSubrange(kept...)
    }

    /// Sets the base of relative links in the innermost element; a base that is too long for a link is ignored.
    private mutating func takeBase(_ value: String) {
        guard value.utf8.count <= WebLink.maximumBytes else { return }
        let base = bases.last.map { WebLink.join(value, base: $0.base) } ?? value
        work.add(base.utf8.count / WebLink.baseBytesPerStep)
        if base.utf8.count <= WebLink.maximumBytes { bases.append((open.count, base)) }
    }

    private mutating func bind(_ prefix: Int32, to attribute: RawAttribute) {
        let namespace = string(attribute.value)
        namespaces.bind(prefix, named: names.prefixes[Int(prefix)], to: namespace, depth: open.count)
    }

    // MARK: - Problems and white space

    mutating func note(_ message: String, at offset: Int) {
        if firstProblem == nil { firstProblem = Problem(message: message, offset: offset) }
    }

    mutating func skipSpace() {
        while position < bytes.count, bytes[position] <= 32 { position += 1 }
    }
}
