// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import CLibXML2
public import FoundationEssentials

/// The search for the feeds that a web page announces with `<link rel="alternate">`.
public enum FeedLinks {
    /// The number of bytes at the beginning of a page that are searched; pages announce feeds there, in `<head>`.
    static let searchedBytes = 512 * 1024
    /// The maximum number of addresses that ``find(in:documentURL:)`` returns.
    static let maximumLinks = 100

    private static let types: Set<String> = [
        "application/rss+xml", "application/atom+xml", "application/feed+json", "application/rdf+xml",
    ]

    /// Returns the absolute addresses of the feeds that a page announces, in the page's order.
    ///
    /// The result is empty if the bytes are not a page, or if the page announces no feed. `documentURL` is the address
    /// of the page after redirects.
    public static func find(in page: Data, documentURL: String) -> [String] {
        let search = Search(base: documentURL)
        var callbacks = htmlSAXHandler()
        callbacks.startElement = { context, name, attributes in
            guard let context, let name else { return }
            Unmanaged<Search>.fromOpaque(context).takeUnretainedValue()
                .start(String(cString: name), FeedLinks.attributes(attributes))
        }
        let context = Unmanaged.passUnretained(search).toOpaque()
        guard let parser = htmlCreatePushParserCtxt(&callbacks, context, nil, 0, nil, XML_CHAR_ENCODING_NONE) else {
            return []
        }
        defer { htmlFreeParserCtxt(parser) }
        let options =
            HTML_PARSE_RECOVER.rawValue | HTML_PARSE_NOERROR.rawValue | HTML_PARSE_NOWARNING.rawValue
            | HTML_PARSE_NONET.rawValue
        htmlCtxtUseOptions(parser, Int32(bitPattern: options))
        let bytes = [UInt8](page.prefix(searchedBytes))
        bytes.withUnsafeBytes { buffer in
            let text = buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
            _ = htmlParseChunk(parser, text, Int32(buffer.count), 1)
        }
        return withExtendedLifetime(search) { search.links }
    }

    /// Reads attributes from an array of alternating names and values; a value may be null.
    ///
    /// The array ends with a null pointer in place of a name.
    private static func attributes(
        _ pairs: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
    ) -> [String: String] {
        guard var pair = pairs else { return [:] }
        var attributes: [String: String] = [:]
        while let name = pair.pointee {
            let value = (pair + 1).pointee.map { String(cString: $0) } ?? ""
            attributes[String(cString: name).lowercased()] = value
            pair += 2
        }
        return attributes
    }

    private final class Search {
        var links: [String] = []
        private var base: String

        init(base: String) { self.base = base }

        func start(_ name: String, _ attributes: [String: String]) {
            switch name.lowercased() {
            case "base":
                if let href = attributes["href"] { base = WebLink.resolve(href, base: base) ?? base }
            case "link":
                let relations = (attributes["rel"] ?? "").lowercased().split(whereSeparator: \.isWhitespace)
                let type = (attributes["type"] ?? "").lowercased().prefix { $0 != ";" && !$0.isWhitespace }
                guard relations.contains("alternate"), FeedLinks.types.contains(String(type)),
                    let href = attributes["href"], let link = WebLink.resolve(href, base: base),
                    !links.contains(link), links.count < FeedLinks.maximumLinks
                else { return }
                links.append(link)
            default: break
            }
        }
    }
}
