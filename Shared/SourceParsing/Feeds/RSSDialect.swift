// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// RSS 2.0 and its predecessors without RDF (https://www.rssboard.org/rss-specification).
struct RSSDialect: FeedDialect {
    private var feed = ParsedFeed()
    private var feedLink: (reference: String, base: String?)?
    private var drafts: [ItemDraft] = []
    private var draft: ItemDraft?

    var itemCount: Int { drafts.count }

    mutating func role(of element: XMLElement, in parent: XMLElement) -> ElementRole {
        switch element.vocabulary {
        case .rss:
            return role(ofRSS: element)
        case .dublinCore:
            switch element.name {
            case "creator", "author": return .text(.author, .html)
            case "date", "created", "issued": return .text(.published, .plain)
            case "modified": return .text(.updated, .plain)
            case "title": return draft?.item.title == nil ? .text(.title, .html) : .skipped
            default: return .skipped
            }
        case .content:
            return element.name == "encoded" ? .text(.content, .html) : .skipped
        case .atom:
            switch element.name {
            case "link":
                takeAtomLink(element)
                return .skipped
            case "author": return .container
            case "name": return parent.name == "author" ? .text(.author, .plain) : .skipped
            case "published", "issued": return .text(.published, .plain)
            case "updated", "modified": return .text(.updated, .plain)
            case "summary": return .text(.summary, .html)
            default: return .skipped
            }
        case .itunes:
            return element.name == "author" ? .text(.otherAuthor, .html) : .skipped
        case .other:
            return .skipped
        }
    }

    mutating func take(_ field: FeedField, _ text: MarkedText, of element: XMLElement, base: String?) {
        guard draft != nil else {
            switch field {
            case .title: if feed.title == nil { feed.title = text }
            case .summary, .subtitle: if feed.subtitle == nil { feed.subtitle = text }
            case .link: if feedLink == nil, !PlainText.trimmed(text.text).isEmpty { feedLink = (text.text, base) }
            default: break
            }
            return
        }
        switch field {
        case .link:
            draft?.links.append((LinkRank.own, text.text, base))
        case .id:
            draft?.take(field, text)
            // A guid is a link unless it says otherwise, but many that do not are none: only an absolute one counts.
            if element.attribute("ispermalink")?.lowercased() != "false", WebLink.isAbsolute(text.text) {
                draft?.links.append((LinkRank.permanent, text.text, nil))
            }
        default:
            draft?.take(field, text)
        }
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
        feed.link = feedLink.flatMap { WebLink.resolve($0.reference, base: $0.base ?? documentURL) }
        feed.items = drafts.map { $0.finished(base: feed.link ?? documentURL) }
        return feed
    }

    private enum LinkRank {
        static let own = 0
        static let alternate = 1
        static let permanent = 2
        static let enclosure = 3
    }

    private mutating func role(ofRSS element: XMLElement) -> ElementRole {
        switch element.name {
        case "rss", "channel": return .container
        case "item": return .item
        case "title": return .text(.title, .html)
        case "link":
            // Some write it as Atom does.
            if let reference = element.attribute("href") { takeLink(reference, element) }
            return .text(.link, .plain)
        case "description": return .text(.summary, .html)
        case "guid": return .text(.id, .plain)
        case "pubdate": return .text(.published, .plain)
        case "author": return draft == nil ? .skipped : .text(.author, .html)
        case "enclosure":
            if let reference = element.attribute("url") {
                draft?.links.append((LinkRank.enclosure, reference, element.base))
            }
            return .skipped
        default: return .skipped
        }
    }

    private mutating func takeAtomLink(_ element: XMLElement) {
        guard element.attribute("rel") ?? "alternate" == "alternate", let reference = element.attribute("href") else {
            return
        }
        takeLink(reference, element)
    }

    private mutating func takeLink(_ reference: String, _ element: XMLElement) {
        if draft != nil {
            draft?.links.append((LinkRank.alternate, reference, element.base))
        } else if feedLink == nil {
            feedLink = (reference, element.base)
        }
    }
}
