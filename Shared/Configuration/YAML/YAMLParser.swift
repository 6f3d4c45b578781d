// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CYAML

/// A parser that reads a YAML document into a tree of nodes; each node has its place in the file.
///
/// The parser uses the events of libyaml. Features that a configuration never needs are rejected with an error that
/// names them: anchors and aliases (which can make a small file a huge tree), tags, merge keys, several documents, and
/// keys that are not scalars. Duplicate keys do not stop the parser: it collects them and uses the first value.
struct YAMLParser {
    static let maximumBytes = 32 << 20
    static let maximumDepth = 16
    static let maximumNodes = 1_500_000

    /// The root node, which is nil for an empty document, and all duplicate keys.
    struct Document {
        var root: YAMLNode?
        var duplicates: [YAMLError]
    }

    /// A sequence or a mapping that is being read.
    private struct Open {
        let mark: YAMLMark
        let isMapping: Bool
        var items: [YAMLNode] = []
        var entries: [YAMLNode.Entry] = []
        var seen: [String: YAMLMark] = [:]
        /// The key whose value is read next.
        ///
        /// It is nil in a sequence. In a mapping, it is nil until the next key has been read.
        var key: (text: String, mark: YAMLMark)?
    }

    private var open: [Open] = []
    private var root: YAMLNode?
    private var duplicates: [YAMLError] = []
    private var nodeCount = 0
    private var documentCount = 0

    static func parse(_ bytes: [UInt8]) throws(YAMLError) -> Document {
        guard bytes.count <= maximumBytes else {
            throw YAMLError(
                mark: YAMLMark(line: 1, column: 1),
                message: "the file has more than \(maximumBytes) bytes"
            )
        }
        var reader = YAMLParser()
        try reader.read(bytes)
        return Document(root: reader.root, duplicates: reader.duplicates)
    }

    private mutating func read(_ bytes: [UInt8]) throws(YAMLError) {
        // The parser keeps pointers to the input and to itself, so both must not move until it is deleted.
        let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
        defer { parser.deallocate() }
        guard yaml_parser_initialize(parser) == 1 else {
            throw YAMLError(mark: YAMLMark(line: 1, column: 1), message: "libyaml is out of memory")
        }
        defer { yaml_parser_delete(parser) }
        let result = bytes.withUnsafeBufferPointer { buffer in
            yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
            yaml_parser_set_input_string(parser, buffer.baseAddress, buffer.count)
            return Result { () throws(YAMLError) in try drain(parser, bytes) }
        }
        try result.get()
    }

    private mutating func drain(
        _ parser: UnsafeMutablePointer<yaml_parser_t>,
        _ bytes: [UInt8]
    ) throws(YAMLError) {
        while true {
            var event = yaml_event_t()
            guard yaml_parser_parse(parser, &event) == 1 else { throw Self.error(of: parser.pointee, in: bytes) }
            defer { yaml_event_delete(&event) }
            if event.type == YAML_STREAM_END_EVENT { return }
            try handle(event)
        }
    }

    private mutating func handle(_ event: yaml_event_t) throws(YAMLError) {
        let mark = Self.mark(event.start_mark)
        switch event.type {
        case YAML_DOCUMENT_START_EVENT:
            documentCount += 1
            if documentCount > 1 {
                throw YAMLError(mark: mark, message: "the file contains a second YAML document; only one is allowed")
            }
        case YAML_ALIAS_EVENT:
            throw YAMLError(mark: mark, message: "aliases (*name) are not supported; write the value again")
        case YAML_SCALAR_EVENT:
            let scalar = event.data.scalar
            try refuse(anchor: scalar.anchor, tag: scalar.tag, at: mark)
            let text = String(decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
            let isPlain = scalar.style == YAML_PLAIN_SCALAR_STYLE
            try add(YAMLNode(content: .scalar(text, isPlain: isPlain), mark: mark))
        case YAML_SEQUENCE_START_EVENT:
            try refuse(anchor: event.data.sequence_start.anchor, tag: event.data.sequence_start.tag, at: mark)
            try push(Open(mark: mark, isMapping: false))
        case YAML_MAPPING_START_EVENT:
            try refuse(anchor: event.data.mapping_start.anchor, tag: event.data.mapping_start.tag, at: mark)
            try push(Open(mark: mark, isMapping: true))
        case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT:
            guard let closed = open.popLast() else { return }
            let content: YAMLNode.Content = closed.isMapping ? .mapping(closed.entries) : .sequence(closed.items)
            try add(YAMLNode(content: content, mark: closed.mark))
        default: break
        }
    }

    private func refuse(
        anchor: UnsafeMutablePointer<yaml_char_t>?,
        tag: UnsafeMutablePointer<yaml_char_t>?,
        at mark: YAMLMark
    ) throws(YAMLError) {
        if anchor != nil {
            throw YAMLError(
                mark: mark,
                message: "anchors (&name) are not supported; write the value again at each place"
            )
        }
        if tag != nil { throw YAMLError(mark: mark, message: "tags (!name) are not supported; remove the tag") }
    }

    private mutating func push(_ collection: Open) throws(YAMLError) {
        if let parent = open.last, parent.isMapping, parent.key == nil {
            throw YAMLError(mark: collection.mark, message: "a key must be a single value, not a list or a mapping")
        }
        guard open.count < Self.maximumDepth else {
            throw YAMLError(
                mark: collection.mark,
                message: "the value is nested deeper than \(Self.maximumDepth) levels"
            )
        }
        open.append(collection)
    }

    private mutating func add(_ node: YAMLNode) throws(YAMLError) {
        nodeCount += 1
        guard nodeCount <= Self.maximumNodes else {
            throw YAMLError(mark: node.mark, message: "the file has more than \(Self.maximumNodes) values")
        }
        guard let last = open.indices.last else {
            root = node
            return
        }
        if !open[last].isMapping {
            open[last].items.append(node)
        } else if let key = open[last].key {
            open[last].key = nil
            if let first = open[last].seen[key.text] {
                let message = "'\(key.text)' is given twice; the first is in line \(first.line)"
                duplicates.append(YAMLError(mark: key.mark, message: message))
            } else {
                open[last].seen[key.text] = key.mark
                open[last].entries.append(YAMLNode.Entry(key: key.text, keyMark: key.mark, value: node))
            }
        } else if case .scalar(let key, let isPlain) = node.content {
            if isPlain, key == "<<" { throw YAMLError(mark: node.mark, message: "merge keys (<<) are not supported") }
            open[last].key = (key, node.mark)
        }
    }

    private static func mark(_ mark: yaml_mark_t) -> YAMLMark {
        YAMLMark(line: Int(mark.line) + 1, column: Int(mark.column) + 1)
    }

    private static func error(of parser: yaml_parser_t, in bytes: [UInt8]) -> YAMLError {
        let problem = parser.problem.map { String(cString: $0) } ?? "no valid YAML"
        guard parser.error != YAML_READER_ERROR else {
            // libyaml's reader is ahead of its scanner: for an error of the reader, the byte offset is exact, but the
            // line is not.
            return YAMLError(
                mark: mark(parser.mark),
                message: "\(problem), \(parser.problem_offset) bytes into the file"
            )
        }
        let mark = mark(parser.problem_mark)
        if let tab = tab(at: mark, in: bytes) {
            return YAMLError(mark: tab, message: "YAML does not allow a tab for indentation; use spaces")
        }
        let context = parser.context.map { " \(String(cString: $0))" } ?? ""
        return YAMLError(mark: mark, message: problem + context)
    }

    /// Returns the place of a tab that caused an error at `mark`; nil if there is none.
    ///
    /// The tab is in the indentation of the line, or exactly at `mark`.
    private static func tab(at mark: YAMLMark, in bytes: [UInt8]) -> YAMLMark? {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        guard lines.indices.contains(mark.line - 1) else { return nil }
        let line = lines[mark.line - 1]
        if let index = line.prefix(while: { $0 == 0x20 || $0 == 0x09 }).firstIndex(of: 0x09) {
            return YAMLMark(line: mark.line, column: index - line.startIndex + 1)
        }
        let index = line.startIndex + mark.column - 1
        return line.indices.contains(index) && line[index] == 0x09 ? mark : nil
    }
}
