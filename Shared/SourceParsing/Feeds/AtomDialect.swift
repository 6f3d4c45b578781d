// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// Atom 1.0 (RFC 4287), and 0.3 where it differs in names only.
struct AtomDialect: FeedDialect {
    private var feed = ParsedFeed()
    private var feedLinks = ItemDraft()
    private var feedAuthors = ItemDraft()
    private var drafts: [ItemDraft] = []
    private var draft: ItemDraft?

    var itemCount: Int { drafts.count }

    mutating func role(of element: XMLElement, in parent: XMLElement) -> ElementRole {
        switch element.vocabulary {
        // A feed that declares no namespace is read as if it did.
        case .atom, .rss: role(ofAtom: element, in: parent)
        case .dublinCore: element.name == "creator" ? .text(.otherAuthor, .plain) : .skipped
        case .content, .itunes, .other: .skipped
        }
    }

    mutating func take(_ field: FeedField, _ text: MarkedText, of element: XMLElement, base: String?) {
        guard draft != nil else {
            switch field {
            case .title: if feed.title == nil { feed.title = text }
            case .subtitle: if feed.subtitle == nil { feed.subtitle = text }
            case .author, .otherAuthor: feedAuthors.take(field, text)
            default: break
            }
            return
        }
        draft?.take(field, text)
    }

    mutating func beginItem(_ element: XMLElement) {
        draft = ItemDraft()
    }

    mutating func endItem() {
        if let draft { drafts.append(draft) }
        draft = nil
    }

    mutating func dropItem() {
        draft = nil
    }

    consuming func finish(documentURL: String) -> ParsedFeed {
        var feed = feed
        feed.link = feedLinks.finished(base: documentURL).link
        // The feed's author is that of every entry without one (RFC 4287, section 4.2.1).
        let author = feedAuthors.finished(base: documentURL).author
        feed.items = drafts.map { draft in
            var item = draft.finished(base: feed.link ?? documentURL)
            item.author = item.author ?? author
            if item.link == nil, let id = item.id, WebLink.isAbsolute(id) { item.link = WebLink.resolve(id, base: id) }
            return item
        }
        return feed
    }

    private enum LinkRank {
        static let page = 0
        static let alternate = 1
        static let enclosure = 2
    }

    private mutating func role(ofAtom element: XMLElement, in parent: XMLElement) -> ElementRole {
        switch element.name {
        case "feed": return .container
        case "entry": return .item
        case "title": return .text(.title, form(of: element))
        case "subtitle", "tagline": return .text(.subtitle, form(of: element))
        case "id": return .text(.id, .plain)
        case "link":
            takeLink(element)
            return .skipped
        case "author": return .container
        case "name": return parent.name == "author" ? .text(.author, .plain) : .skipped
        case "published", "issued": return .text(.published, .plain)
        case "updated", "modified": return .text(.updated, .plain)
        case "summary": return .text(.summary, form(of: element))
        case "content":
            if let source = element.attribute("src") {
                draft?.links.append((LinkRank.enclosure, source, element.base))
                return .skipped
            }
            return .text(.content, form(of: element))
        // `source` names the feed that an entry was taken from: its title is not the entry's.
        default: return .skipped
        }
    }

    /// The form of a text construct (RFC 4287, sections 3.1.1 and 4.1.3.1).
    private func form(of element: XMLElement) -> TextForm {
        let type = element.attribute("type")?.lowercased() ?? "text"
        // Atom 0.3 says in `mode` what its type, a media type, leaves open.
        if element.attribute("mode")?.lowercased() == "escaped" { return type == "text/plain" ? .plain : .html }
        switch type {
        case "html", "text/html": return .html
        case "xhtml", "application/xhtml+xml": return .xhtml
        default: return type.hasSuffix("/xml") || type.hasSuffix("+xml") ? .xhtml : .plain
        }
    }

    private mutating func takeLink(_ element: XMLElement) {
        guard let reference = element.attribute("href") else { return }
        let type = element.attribute("type")?.lowercased()
        let rank: Int
        switch element.attribute("rel")?.lowercased() ?? "alternate" {
        case "alternate", "http://www.iana.org/assignments/relation/alternate":
            rank = type == nil || type?.contains("html") == true ? LinkRank.page : LinkRank.alternate
        case "enclosure" where draft != nil: rank = LinkRank.enclosure
        default: return
        }
        if draft != nil {
            draft?.links.append((rank, reference, element.base))
        } else {
            feedLinks.links.append((rank, reference, element.base))
        }
    }
}
