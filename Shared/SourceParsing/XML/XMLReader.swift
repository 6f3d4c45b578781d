// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import CLibXML2

/// Whether a handler has seen enough.
enum XMLProgress {
    case goOn
    case stop
}

/// What an XML document tells its reader, in order.
protocol XMLHandler: AnyObject {
    func start(_ element: XMLElement) -> XMLProgress
    func characters(_ text: String)
    /// The end of the element begun last and not yet ended; its name as found.
    func end(_ name: String)
}

/// Reads an XML document with libxml2's SAX2 interface and goes on after mistakes.
///
/// Nothing is loaded, no entity is known but the five of XML, and nesting deeper than libxml2's 256 levels ends the
/// reading. Documents come from `XMLRepair`.
final class XMLReader {
    struct Problem {
        let message: String
        let line: Int
        let column: Int
    }

    /// A name as found, and in lower case.
    private struct Name {
        let found: String
        let lowercased: String
    }

    private struct VocabularyKey: Hashable {
        let namespace: UnsafePointer<xmlChar>?
        let prefix: UnsafePointer<xmlChar>?
    }

    struct End {
        let firstProblem: Problem?
        let hasMismatchedTags: Bool
    }

    private let handler: any XMLHandler
    private var parser: xmlParserCtxtPtr?
    private var bases: [String?] = []
    /// libxml2 keeps each name once: its address stands for it.
    private var names: [UnsafePointer<xmlChar>: Name] = [:]
    private var vocabularies: [VocabularyKey: XMLElement.Vocabulary] = [:]
    /// A namespace that nobody knows, and what the root's name says that it is.
    private var adopted: (namespace: UnsafePointer<xmlChar>, vocabulary: XMLElement.Vocabulary)?
    private var firstProblem: Problem?
    private var hasMismatchedTags = false

    private static let libraryIsReady: Void = xmlInitParser()

    private init(handler: any XMLHandler) {
        self.handler = handler
    }

    /// Reads a document in UTF-8 to its end, or until the handler has seen enough.
    static func read(_ bytes: [UInt8], handler: any XMLHandler) -> End {
        _ = libraryIsReady
        let reader = XMLReader(handler: handler)
        reader.read(bytes)
        return End(firstProblem: reader.firstProblem, hasMismatchedTags: reader.hasMismatchedTags)
    }

    private func read(_ bytes: [UInt8]) {
        guard let count = Int32(exactly: bytes.count), let parser = xmlNewParserCtxt() else {
            firstProblem = Problem(message: "the document is too large", line: 1, column: 1)
            return
        }
        defer { xmlFreeParserCtxt(parser) }
        parser.pointee.sax.pointee = Self.callbacks
        // Not the parser itself: libxml2 would look into a document of its own for entities.
        parser.pointee.userData = Unmanaged.passUnretained(self).toOpaque()
        self.parser = parser
        defer { self.parser = nil }
        let options =
            XML_PARSE_RECOVER.rawValue | XML_PARSE_NONET.rawValue | XML_PARSE_NOENT.rawValue
            | XML_PARSE_IGNORE_ENC.rawValue
        // NOENT replaces the five entities of XML in attributes; without it `&amp;` there stays a reference.
        let document = bytes.withUnsafeBytes { buffer in
            xmlCtxtReadMemory(
                parser,
                buffer.baseAddress?.assumingMemoryBound(to: CChar.self),
                count,
                nil,
                "UTF-8",
                Int32(bitPattern: options)
            )
        }
        if let document { xmlFreeDoc(document) }
    }

    private static var callbacks: xmlSAXHandler {
        var callbacks = xmlSAXHandler()
        callbacks.initialized = XML_SAX2_MAGIC
        callbacks.startElementNs = { context, name, prefix, namespace, _, _, count, _, attributes in
            guard let name else { return }
            XMLReader.from(context)?.start(name, prefix, namespace, Int(count), attributes)
        }
        callbacks.endElementNs = { context, name, prefix, _ in
            guard let name else { return }
            XMLReader.from(context)?.end(name, prefix)
        }
        callbacks.characters = { context, text, count in
            XMLReader.from(context)?.characters(text, Int(count))
        }
        callbacks.ignorableWhitespace = callbacks.characters
        callbacks.cdataBlock = callbacks.characters
        callbacks.serror = { context, error in
            guard let error else { return }
            XMLReader.from(context)?.note(error.pointee)
        }
        return callbacks
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> XMLReader? {
        context.map { Unmanaged<XMLReader>.fromOpaque($0).takeUnretainedValue() }
    }

    private func start(
        _ name: UnsafePointer<xmlChar>,
        _ prefix: UnsafePointer<xmlChar>?,
        _ namespace: UnsafePointer<xmlChar>?,
        _ count: Int,
        _ list: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
    ) {
        var attributes: [XMLElement.Attribute] = []
        var base = bases.last ?? nil
        if count > 0 { attributes.reserveCapacity(count) }
        for index in 0..<count {
            // Five addresses each: name, prefix, namespace, the value's begin and its end.
            guard let list, let name = list[index * 5], let begin = list[index * 5 + 3], let end = list[index * 5 + 4]
            else { continue }
            let attribute = XMLElement.Attribute(
                name: self.name(name).lowercased,
                prefix: list[index * 5 + 1].map { self.name($0).lowercased },
                value: String(decoding: UnsafeBufferPointer(start: begin, count: end - begin), as: UTF8.self)
            )
            if attribute.prefix == "xml", attribute.name == "base" {
                base = base.map { WebLink.join(attribute.value, base: $0) } ?? attribute.value
            } else {
                attributes.append(attribute)
            }
        }
        let isRoot = bases.isEmpty
        bases.append(base)
        let local = self.name(name)
        let element = XMLElement(
            vocabulary: vocabulary(VocabularyKey(namespace: namespace, prefix: prefix), root: isRoot ? local : nil),
            name: local.lowercased,
            qualifiedName: prefix.map { self.name($0).found + ":" + local.found } ?? local.found,
            attributes: attributes,
            base: base,
            line: Int(xmlSAX2GetLineNumber(parser)),
            column: Int(xmlSAX2GetColumnNumber(parser))
        )
        if handler.start(element) == .stop { xmlStopParser(parser) }
    }

    private func end(_ name: UnsafePointer<xmlChar>, _ prefix: UnsafePointer<xmlChar>?) {
        if !bases.isEmpty { bases.removeLast() }
        let local = self.name(name).found
        handler.end(prefix.map { self.name($0).found + ":" + local } ?? local)
    }

    private func name(_ address: UnsafePointer<xmlChar>) -> Name {
        if let name = names[address] { return name }
        let found = String(cString: address)
        let name = Name(found: found, lowercased: found.lowercased())
        names[address] = name
        return name
    }

    private func vocabulary(_ key: VocabularyKey, root: Name?) -> XMLElement.Vocabulary {
        if let vocabulary = vocabularies[key] { return vocabulary }
        var vocabulary = XMLElement.Vocabulary(
            namespace: key.namespace.map { String(cString: $0) },
            prefix: key.prefix.map { name($0).found }
        )
        if vocabulary == .other, let namespace = key.namespace {
            if let root, let adoption = XMLElement.Vocabulary(rootName: root.lowercased) {
                adopted = (namespace, adoption)
            }
            if let adopted, adopted.namespace == namespace { vocabulary = adopted.vocabulary }
        }
        vocabularies[key] = vocabulary
        return vocabulary
    }

    private func characters(_ text: UnsafePointer<xmlChar>?, _ count: Int) {
        guard let text, count > 0 else { return }
        handler.characters(String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self))
    }

    private func note(_ error: xmlError) {
        if error.code == Int32(XML_ERR_TAG_NAME_MISMATCH.rawValue) { hasMismatchedTags = true }
        guard firstProblem == nil, error.level.rawValue >= XML_ERR_ERROR.rawValue else { return }
        firstProblem = Problem(
            message: error.message.map { PlainText.collapse(String(cString: $0), limit: 200) } ?? "malformed XML",
            line: Int(error.line),
            column: Int(error.int2)
        )
    }
}
