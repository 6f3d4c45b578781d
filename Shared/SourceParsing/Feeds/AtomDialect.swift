// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The dialect of Atom 1.0 (RFC 4287) and of Atom 0.3, which has other names for some elements and attributes.
struct AtomDialect: FeedDialect {
    var draft = FeedDraft()
    /// A Boolean value that indicates whether the reader is within an entry's `source`.
    ///
    /// This element describes the feed from which the entry was copied.
    private var isInSource = false

    func isItem(_ element: XMLElement) -> Bool {
        element.name == .entry && (element.vocabulary == .atom || element.vocabulary == .rss)
    }

    mutating func role(of element: XMLElement, in parent: XMLElement) -> ElementRole {
        if parent.name == .source {
            isInSource = true
            // The title and the links in `source` are not those of the entry. The authors in `source` are used if the
            // entry has none (RFC 4287, section 4.2.1).
            return element.name == .author ? .person(.sourceAuthor, .plain) : .skipped
        }
        if parent.name != .author { isInSource = false }
        switch element.vocabulary {
        // A feed that declares no namespace is read as if it declared that of Atom.
        case .atom, .rss: return role(ofAtom: element, in: parent)
        default: return role(ofExtension: element)
        }
    }

    mutating func take(_ field: FeedField, _ text: MarkedText, of element: XMLElement) {
        guard field == .id else { return draft.take(field, text, base: element.base) }
        let id = PlainText.trimmed(text.text)
        // An id must be an absolute IRI (RFC 4287, section 4.2.6), because a path alone could occur in many feeds.
        if id.hasPrefix("/") { return draft.take(relativeID: id, base: element.base) }
        draft.take(field, MarkedText(id, .plain), base: nil)
        if WebLink.isAbsolute(id) { draft.take(link: id, .permanent, base: nil) }
    }

    /// Returns the form of an element's text, as the attributes `type` and `mode` declare it (RFC 4287, §3.1.1 and
    /// §4.1.3).
    ///
    /// If the element has neither attribute, the form is `defaultForm`. RSS passes HTML as `defaultForm`, because
    /// authors of RSS feeds write HTML.
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
        case "xhtml": return .xhtml
        // The parts of Atom 0.3's `multipart/alternative` are elements.
        case _ where type.hasPrefix("application/xhtml") || type.hasPrefix("multipart/"): return .xhtml
        case _ where type.hasSuffix("/xml") || type.hasSuffix("+xml"): return .xhtml
        case _ where type.hasPrefix("text/") || !type.contains("/"): return .plain
        default: return .base64(.html)
        }
    }

    /// Returns whether the text of an element is a picture, a sound or a film in base64.
    static func isBase64Media(_ element: XMLElement) -> Bool {
        guard let type = element.attribute(.type)?.lowercased() else { return false }
        return ["image/", "audio/", "video/"].contains { type.hasPrefix($0) } && !type.hasSuffix("+xml")
    }

    /// The elements that every feed must have (RFC 4287, section 4.1.1, and Atom 0.3).
    private static let required: [XMLName] = [.title, .id, .updated, .modified]

    private mutating func role(ofAtom element: XMLElement, in parent: XMLElement) -> ElementRole {
        if parent.name == .feed, element.vocabulary == .atom || Self.required.contains(element.name) {
            draft.isRecognized = draft.isRecognized || element.name != .unknown
        }
        switch element.name {
        case .feed: return .container
        case .entry: return .item
        case .title: return .text(.title, Self.form(of: element))
        case .subtitle, .tagline: return draft.isInItem ? .skipped : .text(.summary, Self.form(of: element))
        case .info: return draft.isInItem ? .skipped : .text(.substituteSummary, Self.form(of: element))
        case .id: return draft.isInItem ? .text(.id, .plain) : .skipped
        case .link: return role(ofAtomLink: element, page: .own)
        case .author: return .person(.author, .plain)
        case .name where parent.name == .author: return .text(isInSource ? .sourceAuthor : .author, .plain)
        case .email where parent.name == .author: return isInSource ? .skipped : .text(.substituteAuthor, .plain)
        case .published, .issued: return .text(.published, .plain)
        case .created: return .text(.date, .plain)
        case .updated, .modified: return .text(.updated, .plain)
        case .summary: return draft.isInItem ? .text(.summary, Self.form(of: element)) : .skipped
        case .content: return role(ofAtomContent: element)
        case .source: return draft.isInItem ? .container : .skipped
        default: return role(ofRSS: element)
        }
    }

    /// Returns the role of an RSS element in an Atom feed.
    private mutating func role(ofRSS element: XMLElement) -> ElementRole {
        switch element.name {
        case .pubdate: return .text(.published, .plain)
        case .description: return .text(.substituteSummary, .html)
        case .creator: return .person(.substituteAuthor, .html)
        case .guid: return draft.isInItem ? .text(.substituteID, .plain) : .skipped
        case .enclosure:
            if draft.isInItem { takeEnclosure(element, reference: .url) }
            return .skipped
        case .ttl: return .text(.timeToLive, .plain)
        default: return .skipped
        }
    }
}
