// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The dialect of RSS 2.0 (https://www.rssboard.org/rss-specification) and of earlier versions.
///
/// The versions 0.90, 1.0 and 1.1 are based on RDF. In 0.90 and 1.0 (https://web.resource.org/rss/1.0/spec), items are
/// siblings of the channel. In 1.1 (https://inamidst.com/rss1.1/), items are children of the element `items`. All
/// elements of an item or a channel are read as in RSS 2.0, including elements that only RSS 2.0 defines.
struct RSSDialect: FeedDialect {
    /// A Boolean value that indicates whether the document is based on RDF, in which `about` is the id of an item.
    var isRDF = false
    var draft = FeedDraft()

    func isItem(_ element: XMLElement) -> Bool {
        element.name == .item && element.vocabulary == .rss
    }

    mutating func role(of element: XMLElement, in parent: XMLElement) -> ElementRole {
        switch element.vocabulary {
        case .rss: role(ofRSS: element, in: parent)
        case .atom: role(ofAtom: element, in: parent)
        default: role(ofExtension: element)
        }
    }

    mutating func didBeginItem(_ element: XMLElement) {
        guard isRDF, let about = element.anyAttribute(.about) else { return }
        draft.take(.substituteID, MarkedText(about, .plain), base: nil)
        if WebLink.isAbsolute(about) { draft.take(link: about, .permanent, base: nil) }
    }

    mutating func take(_ field: FeedField, _ text: MarkedText, of element: XMLElement) {
        draft.take(field, text, base: element.base)
        // By default, a guid is a link. But many guids without `isPermaLink` are not links, so only absolute URLs are
        // used.
        guard field == .id else { return }
        let attribute = element.attribute(.ispermalink)
        // Most feeds write exactly this.
        guard attribute != "false" else { return }
        let claim = attribute.map { PlainText.trimmed($0).lowercased() }
        if claim == "true" ? WebLink.isPath(text.text) : claim != "false" && WebLink.isAbsolute(text.text) {
            draft.take(link: text.text, .permanent, base: element.base)
        }
    }

    private mutating func role(ofRSS element: XMLElement, in parent: XMLElement) -> ElementRole {
        switch element.name {
        case .rss, .channel: return .container
        // A table of contents in RSS 1.0, but the list of the items themselves in RSS 1.1.
        case .items: return draft.isInItem ? .skipped : .container
        case .item: return .item
        case .title: return .text(.title, .html)
        case .link:
            // In some feeds, the link is an attribute, as in Atom.
            if element.attribute(.rel) != nil, element.attribute(.href) != nil {
                return role(ofAtomLink: element, page: .alternate)
            }
            if let reference = element.attribute(.href) ?? element.anyAttribute(.resource) {
                draft.take(link: reference, .alternate, base: element.base)
            }
            return .text(.link, .plain)
        case .description, .summary, .tagline, .subtitle: return .text(.summary, .html)
        case .guid, .id: return .text(.id, .plain)
        case .pubdate, .published, .issued, .date: return .text(.published, .plain)
        case .updated, .modified: return .text(.updated, .plain)
        case .author, .creator: return .person(draft.isInItem ? .author : .substituteAuthor, .html)
        case .name where parent.isPerson: return .text(draft.isInItem ? .author : .substituteAuthor, .plain)
        case .email where parent.isPerson: return .text(.substituteAuthor, .plain)
        case .managingeditor: return .text(.substituteAuthor, .html)
        // No version of RSS specifies these, but feeds contain them.
        case .body, .fullitem, .content: return draft.isInItem ? .text(.content, .html) : .skipped
        case .enclosure:
            if draft.isInItem { takeEnclosure(element, reference: .url) }
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
        case .link: return role(ofAtomLink: element, page: .alternate)
        case .title: return .text(.substituteTitle, AtomDialect.form(of: element, default: .html))
        case .id: return .text(.substituteID, .plain)
        case .author: return .person(.author, .plain)
        case .name where parent.isPerson: return .text(.author, .plain)
        case .email where parent.isPerson: return .text(.substituteAuthor, .plain)
        case .published, .issued: return .text(.published, .plain)
        case .created: return .text(.date, .plain)
        case .updated, .modified: return .text(.updated, .plain)
        case .summary, .subtitle, .tagline:
            return .text(.substituteSummary, AtomDialect.form(of: element, default: .html))
        case .content: return role(ofAtomContent: element)
        default: return .skipped
        }
    }
}
