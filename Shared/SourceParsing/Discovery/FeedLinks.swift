// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import FoundationEssentials

/// The search for the feeds that a web page announces with `<link rel="alternate">`.
///
/// The time is proportional to the number of bytes that are searched, whatever they are.
public enum FeedLinks {
    /// The number of bytes at the beginning of a page that are searched; pages announce feeds there, in `<head>`.
    static let searchedBytes = 512 * 1024
    /// The maximum number of addresses that ``find(in:documentURL:)`` returns.
    static let maximumLinks = 100
    /// The maximum length of a tag in bytes; longer ones are ignored.
    static let maximumTagBytes = 8 * 1024
    /// The maximum number of links whose address is joined with that of the page, which may be long.
    static let maximumResolved = 1_000

    private static let types: Set<String> = [
        "application/rss+xml", "application/atom+xml", "application/feed+json", "application/rdf+xml",
    ]

    /// Returns the absolute addresses of the feeds that a page announces, in the page's order.
    ///
    /// The result is empty if the bytes are not a page, or if the page announces no feed. `documentURL` is the address
    /// of the page after redirects.
    public static func find(in page: Data, documentURL: String) -> [String] {
        let text = CharacterEncoding.decode([UInt8](page.prefix(searchedBytes)), charset: nil)
        return text.withUnsafeBufferPointer { bytes in
            var scanner = HTMLScanner(bytes, limit: .max, keepsTags: ["base", "link"])
            _ = scanner.run()
            var (base, hasBase, links) = (documentURL, false, [String]())
            var known: Set<String> = []
            var resolved = 0
            for (name, bytes) in scanner.startTags
            where bytes.count <= maximumTagBytes && links.count < maximumLinks && resolved < maximumResolved {
                let attributes = attributes(bytes)
                guard let href = attributes["href"] else { continue }
                if name == "base" {
                    // The first one counts (HTML, section 4.2.3).
                    if !hasBase { base = WebLink.resolve(href, base: base) ?? base }
                    hasBase = true
                } else if announcesFeed(attributes) {
                    resolved += 1
                    if let link = WebLink.resolve(href, base: base), known.insert(link).inserted { links.append(link) }
                }
            }
            return links
        }
    }

    private static func announcesFeed(_ link: [String: String]) -> Bool {
        let relations = (link["rel"] ?? "").lowercased().split(whereSeparator: \.isWhitespace)
        let type = (link["type"] ?? "").lowercased().prefix { $0 != ";" && !$0.isWhitespace }
        return relations.contains("alternate") && types.contains(String(type))
    }

    /// Returns the attributes in a start tag; of several with one name, the first one counts (HTML, section 13.2.5.33).
    private static func attributes(_ bytes: UnsafeBufferPointer<UInt8>) -> [String: String] {
        var attributes: [String: String] = [:]
        var rest = bytes[...]
        while true {
            rest = rest.drop { PlainText.isSpace($0) || $0 == UInt8(ascii: "/") }
            guard !rest.isEmpty else { return attributes }
            let name = rest.prefix {
                !PlainText.isSpace($0) && $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: "/")
            }
            rest = rest[name.endIndex...].drop(while: PlainText.isSpace)
            var value = rest.prefix(0)
            if rest.first == UInt8(ascii: "=") {
                rest = rest.dropFirst().drop(while: PlainText.isSpace)
                if let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
                    value = rest.dropFirst().prefix { $0 != quote }
                    rest = rest[value.endIndex...].dropFirst()
                } else {
                    value = rest.prefix { !PlainText.isSpace($0) }
                    rest = rest[value.endIndex...]
                }
            }
            let key = String(decoding: name, as: UTF8.self).lowercased()
            if attributes[key] == nil { attributes[key] = PlainText.fromHTML(String(decoding: value, as: UTF8.self)) }
        }
    }
}
