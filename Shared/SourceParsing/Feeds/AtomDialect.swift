// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// Atom 1.0 (RFC 4287), and 0.3, which differs only in names.
struct AtomDialect: FeedDialect {
    var draft = FeedDraft()

    func isItem(_ element: XMLElement) -> Bool {
        element.name == .entry && (element.vocabulary == .atom || element.vocabulary == .rss)
    }

    mutating func role(of element: XMLElement, in parent: XMLElement) -> ElementRole {
        switch element.vocabulary {
        // A feed without a declared namespace is read as if it had one.
        case .atom, .rss: role(ofAtom: element, in: parent)
        default: role(ofExtension: element)
        }
    }

    mutating func take(_ field: FeedField, _ text: MarkedText, of element: XMLElement) {
        guard field == .id else { return draft.take(field, text, base: element.base) }
        let id = PlainText.trimmed(text.text)
        // An id must be absolute (section 4.2.6): a mere path would occur in many feeds.
        if id.hasPrefix("/") { return draft.take(relativeID: id, base: element.base) }
        draft.take(field, MarkedText(id, .plain), base: nil)
        if WebLink.isAbsolute(id) { draft.take(link: id, .permanent, base: nil) }
    }

    /// Returns the form of a text construct (RFC 4287, sections 3.1.1 and 4.1.3).
    ///
    /// `defaultForm` is the form of an element without a type: plain text in Atom, but HTML in RSS, whose authors
    /// intend that.
    static func form(of element: XMLElement, default defaultForm: TextForm = .plain) -> TextForm {
        guard element.attribute(.type) != nil || element.attribute(.mode) != nil else { return defaultForm }
        let type = element.attribute(.type)?.lowercased() ?? "text"
        let isHTML = type == "html" || type == "text/html"
        // In Atom 0.3, the type is a media type, and `mode` gives the form.
        switch element.attribute(.mode)?.lowercased() {
        case "escaped": return type == "text/plain" ? .plain : .html
        case "base64": return .base64(type == "text/plain" ? .plain : .html)
        case "xml": return .xhtml
        default: break
        }
        switch type {
        case "text", "text/plain": return .plain
        case _ where isHTML: return .html
        case "xhtml", "application/xhtml+xml": return .xhtml
        case _ where type.hasSuffix("/xml") || type.hasSuffix("+xml"): return .xhtml
        case _ where type.hasPrefix("text/") || !type.contains("/"): return .plain
        default: return .base64(.html)
        }
    }

    private mutating func role(ofAtom element: XMLElement, in parent: XMLElement) -> ElementRole {
        // Every feed must have these (RFC 4287, section 4.1.1).
        if parent.name == .feed, [.title, .id, .updated, .modified].contains(element.name) {
            draft.isRecognized = true
        }
        switch element.name {
        case .feed: return .container
        case .entry: return .item
        case .title: return .text(.title, Self.form(of: element))
        case .subtitle, .tagline: return draft.isInItem ? .skipped : .text(.summary, Self.form(of: element))
        case .info: return draft.isInItem ? .skipped : .text(.otherSummary, Self.form(of: element))
        case .id: return draft.isInItem ? .text(.id, .plain) : .skipped
        case .link:
            takeLink(element)
            return .skipped
        case .author: return .container
        case .name: return parent.name == .author ? .text(.author, .plain) : .skipped
        case .email: return parent.name == .author ? .text(.otherAuthor, .plain) : .skipped
        case .published, .issued: return .text(.published, .plain)
        case .created: return .text(.date, .plain)
        case .updated, .modified: return .text(.updated, .plain)
        case .summary: return draft.isInItem ? .text(.summary, Self.form(of: element)) : .skipped
        case .content:
            guard draft.isInItem else { return .skipped }
            if let source = element.attribute(.src) {
                draft.take(link: source, .enclosure(type: element.attribute(.type)), base: element.base)
                return .skipped
            }
            return .text(.content, Self.form(of: element))
        // `source` describes the feed that an entry was copied from: its title is not the entry's.
        default: return role(ofRSS: element)
        }
    }

    /// Returns the role of RSS elements in an Atom feed.
    private mutating func role(ofRSS element: XMLElement) -> ElementRole {
        switch element.name {
        case .pubdate: return .text(.published, .plain)
        case .description: return .text(.otherSummary, .html)
        case .creator: return .text(.otherAuthor, .html)
        case .guid: return draft.isInItem ? .text(.otherID, .plain) : .skipped
        case .enclosure:
            if draft.isInItem, let reference = element.attribute(.url) {
                draft.take(link: reference, .enclosure(type: element.attribute(.type)), base: element.base)
            }
            return .skipped
        case .ttl: return .text(.timeToLive, .plain)
        default: return .skipped
        }
    }

    private mutating func takeLink(_ element: XMLElement) {
        guard let reference = element.attribute(.href) else { return }
        let type = element.attribute(.type)?.lowercased()
        switch element.attribute(.rel)?.lowercased() ?? "alternate" {
        case "alternate", "http://www.iana.org/assignments/relation/alternate":
            let isPage = type == nil || type?.contains("html") == true
            draft.take(link: reference, isPage ? .own : .alternate, base: element.base)
        case "enclosure" where draft.isInItem:
            draft.take(link: reference, .enclosure(type: type), base: element.base)
        default:
            return
        }
    }
}
