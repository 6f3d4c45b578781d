// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// RSS 2.0 and its predecessors without RDF (https://www.rssboard.org/rss-specification).
struct RSSDialect: FeedDialect {
    var draft = FeedDraft()

    func isItem(_ element: XMLElement) -> Bool {
        element.name == .item && element.vocabulary == .rss
    }

    mutating func role(of element: XMLElement, in parent: XMLElement) -> ElementRole {
        switch element.vocabulary {
        case .rss: role(ofRSS: element)
        case .atom: role(ofAtom: element, in: parent)
        default: role(ofExtension: element)
        }
    }

    mutating func take(_ field: FeedField, _ text: MarkedText, of element: XMLElement) {
        draft.take(field, text, base: element.base)
        // A guid is a link by default, but many are not links: only an absolute one counts.
        if field == .id, element.attribute(.ispermalink)?.lowercased() != "false", WebLink.isAbsolute(text.text) {
            draft.take(link: text.text, .permanent, base: nil)
        }
    }

    private mutating func role(ofRSS element: XMLElement) -> ElementRole {
        switch element.name {
        case .rss, .channel: return .container
        case .item: return .item
        case .title: return .text(.title, .html)
        case .link:
            // Some feeds use the form of Atom.
            if let reference = element.attribute(.href) { draft.take(link: reference, .alternate, base: element.base) }
            return .text(.link, .plain)
        case .description, .summary, .tagline, .subtitle: return .text(.summary, .html)
        case .guid, .id: return .text(.id, .plain)
        case .pubdate, .published, .issued, .date: return .text(.published, .plain)
        case .updated, .modified: return .text(.updated, .plain)
        case .author, .creator: return draft.isInItem ? .text(.author, .html) : .text(.otherAuthor, .html)
        case .managingeditor: return .text(.otherAuthor, .html)
        // No version of RSS specifies these, but feeds contain them.
        case .body, .fullitem, .content: return draft.isInItem ? .text(.content, .html) : .skipped
        case .enclosure:
            if let reference = element.attribute(.url), draft.isInItem {
                draft.take(link: reference, .enclosure(type: element.attribute(.type)), base: element.base)
            }
            return .skipped
        case .ttl: return .text(.timeToLive, .plain)
        case .skiphours, .skipdays: return draft.isInItem ? .skipped : .container
        case .hour: return .text(.skippedHour, .plain)
        case .day: return .text(.skippedDay, .plain)
        // `image`, `textInput` and `source` have titles and links of their own, which are not the feed's.
        default: return .skipped
        }
    }

    private mutating func role(ofAtom element: XMLElement, in parent: XMLElement) -> ElementRole {
        switch element.name {
        case .link:
            guard let reference = element.attribute(.href) else { return .skipped }
            switch element.attribute(.rel)?.lowercased() ?? "alternate" {
            case "alternate": draft.take(link: reference, .alternate, base: element.base)
            case "enclosure" where draft.isInItem:
                draft.take(link: reference, .enclosure(type: element.attribute(.type)), base: element.base)
            default: break
            }
            return .skipped
        case .title: return .text(.otherTitle, AtomDialect.form(of: element, default: .html))
        case .id: return .text(.otherID, .plain)
        case .author: return .container
        case .name: return parent.name == .author ? .text(.author, .plain) : .skipped
        case .email: return parent.name == .author ? .text(.otherAuthor, .plain) : .skipped
        case .published, .issued: return .text(.published, .plain)
        case .created: return .text(.date, .plain)
        case .updated, .modified: return .text(.updated, .plain)
        case .summary, .subtitle, .tagline: return .text(.otherSummary, AtomDialect.form(of: element, default: .html))
        case .content: return .text(.content, AtomDialect.form(of: element))
        default: return .skipped
        }
    }
}
