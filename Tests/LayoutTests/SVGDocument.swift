// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import FoundationXML
import Testing

/// An SVG as an XML parser reads it.
final class SVGDocument: NSObject, XMLParserDelegate {
    private(set) var elements: [String] = []
    private(set) var root: [String: String] = [:]
    private(set) var texts: [(text: String, attributes: [String: String])] = []
    private var isInText = false

    init(_ data: Data) throws {
        super.init()
        let parser = XMLParser(data: data)
        parser.delegate = self
        try #require(parser.parse(), "\(parser.parserError.map { "\($0)" } ?? "")")
    }

    func parser(
        _ parser: XMLParser,
        didStartElement element: String,
        namespaceURI: String?,
        qualifiedName: String?,
        attributes: [String: String]
    ) {
        if elements.isEmpty { root = attributes }
        elements.append(element)
        isInText = element == "text"
        if isInText { texts.append(("", attributes)) }
    }

    func parser(_ parser: XMLParser, didEndElement element: String, namespaceURI: String?, qualifiedName: String?) {
        isInText = false
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) {
        if isInText { texts[texts.count - 1].text += string }
    }
}
