// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// An element's start tag.
struct XMLElement {
    /// The vocabularies of feeds.
    enum Vocabulary {
        /// No namespace, or one of the namespaces of RSS versions.
        case rss
        case atom
        case dublinCore
        case content
        case itunes
        case media
        case feedBurner
        case syndication
        case xhtml
        case rdf
        case other
    }

    struct Attribute {
        let name: XMLName
        /// A Boolean value that indicates whether the name has a prefix.
        let isQualified: Bool
        let value: String
    }

    let vocabulary: Vocabulary
    /// The name without prefix.
    let name: XMLName
    let attributes: [Attribute]
    /// The base of relative links from `xml:base`, here or in an ancestor; not resolved against the document's address.
    let base: String?

    /// Returns the value of an attribute without prefix.
    func attribute(_ name: XMLName) -> String? {
        attributes.first { !$0.isQualified && $0.name == name }?.value
    }

    /// Returns the value of an attribute with any prefix or none.
    func anyAttribute(_ name: XMLName) -> String? {
        attribute(name) ?? attributes.first { $0.name == name }?.value
    }
}

extension XMLElement.Vocabulary {
    /// Creates the vocabulary of a namespace, or of a well-known prefix that the feed does not declare.
    init(namespace: String?, prefix: String?) {
        guard let namespace else {
            self =
                switch prefix?.lowercased() {
                case nil, "", "rss": .rss
                case "atom", "atom10", "a10": .atom
                case "dc", "dcterms": .dublinCore
                case "content": .content
                case "itunes": .itunes
                case "media": .media
                case "feedburner": .feedBurner
                case "sy", "syn": .syndication
                case "xhtml": .xhtml
                case "rdf": .rdf
                default: .other
                }
            return
        }
        var name = namespace.lowercased()
        if let scheme = name.firstRange(of: "://") { name = String(name[scheme.upperBound...]) }
        while name.hasSuffix("/") || name.hasSuffix("#") { name.removeLast() }
        self =
            switch name {
            case "", "backend.userland.com/rss2", "blogs.law.harvard.edu/tech/rss", "backend.userland.com/rss",
                "purl.org/rss/1.0", "my.netscape.com/rdf/simple/0.9", "channel.netscape.com/rdf/simple/0.9",
                "purl.org/net/rss1.1", "www.rssboard.org/rss-specification", "cyber.law.harvard.edu/rss/rss.html":
                .rss
            case "www.w3.org/2005/atom", "purl.org/atom/ns": .atom
            case "purl.org/dc/elements/1.1", "purl.org/dc/elements/1.0", "purl.org/dc/terms": .dublinCore
            case "purl.org/rss/1.0/modules/content": .content
            case "www.itunes.com/dtds/podcast-1.0.dtd": .itunes
            case "search.yahoo.com/mrss": .media
            case "rssnamespace.org/feedburner/ext/1.0": .feedBurner
            case "purl.org/rss/1.0/modules/syndication": .syndication
            case "www.w3.org/1999/xhtml": .xhtml
            case "www.w3.org/1999/02/22-rdf-syntax-ns": .rdf
            default: .other
            }
    }
}

extension XMLElement.Vocabulary {
    /// Creates the vocabulary of a root element with an unknown namespace, from its name.
    init?(rootName: XMLName) {
        switch rootName {
        case .feed: self = .atom
        case .rss, .channel: self = .rss
        default: return nil
        }
    }
}
