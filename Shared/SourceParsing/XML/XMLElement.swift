// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// An element's start tag.
struct XMLElement {
    /// The XML vocabularies that occur in feeds; a vocabulary is usually identified by its namespace.
    enum Vocabulary {
        /// The vocabulary of elements without a namespace, or with the namespace of an RSS version.
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
    /// The base of relative links, from the `xml:base` of this element and its ancestors; nil if there is none.
    ///
    /// It may be relative to the document's URL.
    let base: String?

    /// A Boolean value that indicates whether this element is an `author` or `creator`; the name and the mail address
    /// may be inner elements.
    var isPerson: Bool { name == .author || name == .creator }

    /// Returns the value of the attribute with this name and without a prefix; nil if there is none.
    func attribute(_ name: XMLName) -> String? {
        attributes.first { !$0.isQualified && $0.name == name }?.value
    }

    /// Returns the value of the attribute with this name, even if it has a prefix; nil if there is none.
    ///
    /// An attribute without a prefix is preferred.
    func anyAttribute(_ name: XMLName) -> String? {
        attribute(name) ?? attributes.first { $0.name == name }?.value
    }
}

extension XMLElement.Vocabulary {
    /// Creates the vocabulary of a namespace, or of a well-known prefix that the feed does not declare.
    ///
    /// The prefixes of RSS modules, such as `dc`, are recognised even if they are declared with an unknown namespace,
    /// because many feeds misspell the namespaces.
    init(namespace: String?, prefix: String?) {
        guard let namespace else {
            self =
                switch prefix?.lowercased() {
                case nil, "", "rss": .rss
                case "atom", "atom10", "a10": .atom
                case "xhtml": .xhtml
                case "rdf": .rdf
                case let prefix?: Self(modulePrefix: prefix)
                }
            return
        }
        self.init(namespace: namespace)
        if self == .other, let prefix { self.init(modulePrefix: prefix.lowercased()) }
    }

    /// Creates the vocabulary that the prefix of an RSS module usually has; `modulePrefix` must be in lower case.
    private init(modulePrefix: String) {
        self =
            switch modulePrefix {
            case "dc", "dcterms": .dublinCore
            case "content": .content
            case "itunes", "googleplay": .itunes
            case "media": .media
            case "feedburner": .feedBurner
            case "sy", "syn": .syndication
            default: .other
            }
    }

    private init(namespace: String) {
        var name = namespace.lowercased()
        if let scheme = name.firstRange(of: "://") { name = String(name[scheme.upperBound...]) }
        while name.hasSuffix("/") || name.hasSuffix("#") { name.removeLast() }
        self =
            switch name {
            // Userland's versions: `rss`, `rss2`, `rss091`, ….
            case _ where name.hasPrefix("backend.userland.com/rss"): .rss
            case "", "blogs.law.harvard.edu/tech/rss", "purl.org/rss/1.0", "purl.org/rss/1.0/modules/rss091",
                "my.netscape.com/rdf/simple/0.9", "channel.netscape.com/rdf/simple/0.9",
                "my.netscape.com/publish/formats/rss-0.91.dtd", "purl.org/net/rss1.1",
                "www.rssboard.org/rss-specification", "cyber.law.harvard.edu/rss/rss.html":
                .rss
            case "www.w3.org/2005/atom", "purl.org/atom/ns": .atom
            case "purl.org/dc/elements/1.1", "purl.org/dc/elements/1.0", "purl.org/dc/terms",
                "purl.org/metadata/dublin_core":
                .dublinCore
            case "purl.org/rss/1.0/modules/content": .content
            case "www.itunes.com/dtds/podcast-1.0.dtd", "www.google.com/schemas/play-podcasts/1.0",
                "www.google.com/schemas/play-podcasts/1.0/play-podcasts.xsd":
                .itunes
            case "search.yahoo.com/mrss", "video.search.yahoo.com/mrss", "tools.search.yahoo.com/mrss",
                "www.rssboard.org/media-rss":
                .media
            case "rssnamespace.org/feedburner/ext/1.0", "www.pheedo.com/namespace/pheedo": .feedBurner
            case "purl.org/rss/1.0/modules/syndication": .syndication
            case "www.w3.org/1999/xhtml": .xhtml
            case "www.w3.org/1999/02/22-rdf-syntax-ns": .rdf
            default: .other
            }
    }
}

extension XMLElement.Vocabulary {
    /// Creates the vocabulary for a root element whose namespace is unknown.
    ///
    /// Returns nil if `rootName` is not the name of a feed's root element.
    init?(rootName: XMLName) {
        switch rootName {
        case .feed: self = .atom
        case .rss, .channel: self = .rss
        default: return nil
        }
    }
}
