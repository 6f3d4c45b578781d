// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A feed format, such as RSS or Atom, which defines the meaning of XML elements.
protocol FeedDialect {
    /// The part of the feed that was already read.
    var draft: FeedDraft { get set }
    /// Returns whether an element is an item of this format.
    ///
    /// Only the name and the vocabulary of the element are checked, and not its place in the document.
    func isItem(_ element: XMLElement) -> Bool
    /// Returns the role of an element, and adds the values of its attributes to the draft.
    ///
    /// Called only for an element whose ancestors are all containers or items.
    mutating func role(of element: XMLElement, in parent: XMLElement) -> ElementRole
    /// Adds the attributes of an item's start tag to the draft.
    mutating func didBeginItem(_ element: XMLElement)
    /// Adds the text of an element to the draft, as the value of `field`.
    ///
    /// Called only for an element with the role `text` or `person`.
    mutating func take(_ field: FeedField, _ text: MarkedText, of element: XMLElement)
}

extension FeedDialect {
    mutating func didBeginItem(_ element: XMLElement) {}

    mutating func take(_ field: FeedField, _ text: MarkedText, of element: XMLElement) {
        draft.take(field, text, base: element.base)
    }

    /// Returns the role of an element in a vocabulary that feeds of every format may use, such as Dublin Core.
    mutating func role(ofExtension element: XMLElement) -> ElementRole {
        switch element.vocabulary {
        case .dublinCore:
            switch element.name {
            case .title: return .text(.substituteTitle, .html)
            case .creator, .author: return .person(.author, .html)
            case .contributor: return .text(.substituteAuthor, .html)
            case .description, .abstract: return .text(.substituteSummary, .html)
            case .identifier: return .text(.substituteID, .plain)
            case .date, .available: return .text(.date, .plain)
            case .created, .issued, .datesubmitted: return .text(.published, .plain)
            case .modified: return .text(.updated, .plain)
            default: return .skipped
            }
        case .content:
            switch element.name {
            case .encoded: return .text(.content, .html)
            // The first version of the content module: `content:items`, `rdf:Bag`, `rdf:li`, `content:item`,
            // `rdf:value`.
            case .items, .item: return draft.isInItem ? .container : .skipped
            default: return .skipped
            }
        case .rdf:
            guard draft.isInItem else { return .skipped }
            switch element.name {
            case .bag, .seq, .li: return .container
            case .value: return .text(.content, .html)
            default: return .skipped
            }
        case .itunes:
            switch element.name {
            case .title: return .text(.substituteTitle, .html)
            case .author: return .text(.substituteAuthor, .html)
            case .summary, .subtitle, .description: return .text(.substituteSummary, .html)
            default: return .skipped
            }
        case .media:
            switch element.name {
            case .group: return .container
            case .content:
                if draft.isInItem { takeEnclosure(element, reference: .url) }
                return .container
            case .title: return .text(.substituteTitle, .html)
            case .description: return .text(.substituteSummary, .html)
            default: return .skipped
            }
        case .feedBurner:
            return element.name == .origlink ? .text(.originalLink, .plain) : .skipped
        case .syndication:
            switch element.name {
            case .updateperiod: return .text(.updatePeriod, .plain)
            case .updatefrequency: return .text(.updateFrequency, .plain)
            default: return .skipped
            }
        case .xhtml:
            return element.name == .body || element.name == .div ? .text(.content, .xhtml) : .skipped
        case .rss, .atom, .other:
            return .skipped
        }
    }

    /// Returns the role of Atom's `link` element, and may add the link to the draft.
    ///
    /// The relation of the link decides what happens:
    ///
    /// - `alternate`: The link is added. Its rank is the argument `page` if it leads to a web page, and
    ///   ``LinkRank/alternate`` otherwise. If no attribute of the element contains the link, the role is `text`,
    ///   because some feeds write the link as the text of the element.
    /// - `enclosure`: The link is added if the element is in an item.
    /// - `other`: The link is ignored.
    mutating func role(ofAtomLink element: XMLElement, page: LinkRank) -> ElementRole {
        let type = element.attribute(.type)?.lowercased()
        switch LinkRelation(element.attribute(.rel)) {
        case .alternate:
            guard let reference = element.attribute(.href) ?? element.anyAttribute(.resource) else {
                return .text(.link, .plain)
            }
            let isPage = type == nil || type?.contains("html") == true
            draft.take(link: reference, isPage ? page : .alternate, base: element.base)
        case .enclosure:
            if draft.isInItem { takeEnclosure(element, reference: .href) }
        case .other:
            break
        }
        return .skipped
    }

    /// Returns the role of Atom's `content` element.
    ///
    /// If the content is in another file, the draft gets a link to that file.
    mutating func role(ofAtomContent element: XMLElement) -> ElementRole {
        guard draft.isInItem else { return .skipped }
        guard element.attribute(.src) == nil else {
            takeEnclosure(element, reference: .src)
            return .skipped
        }
        return AtomDialect.isBase64Media(element) ? .skipped : .text(.content, AtomDialect.form(of: element))
    }

    /// Adds the link in `element` to the draft, as the link to a file of the item, such as a recording.
    ///
    /// `reference` is the name of the attribute that contains the link.
    mutating func takeEnclosure(_ element: XMLElement, reference: XMLName) {
        guard let link = element.attribute(reference) else { return }
        // Media RSS may have an attribute `medium` in place of a type.
        let type = element.attribute(.type) ?? (element.attribute(.medium) == "image" ? "image/" : nil)
        draft.take(link: link, .enclosure(type: type, link: link), base: element.base)
    }
}

/// The relation of a link to its feed or item.
enum LinkRelation {
    case alternate
    case enclosure
    case other

    /// The prefix that turns the name of a relation into an IRI.
    ///
    /// A feed may use the name or the IRI (RFC 4287, section 4.2.7.2).
    private static let prefix = "http://www.iana.org/assignments/relation/"

    /// Creates the relation from the attribute `rel` of a link; nil or an empty text means `alternate`.
    init(_ attribute: String?) {
        let text = attribute.map { PlainText.trimmed($0).lowercased() } ?? ""
        switch text.hasPrefix(Self.prefix) ? String(text.dropFirst(Self.prefix.count)) : text {
        case "", "alternate": self = .alternate
        case "enclosure": self = .enclosure
        default: self = .other
        }
    }
}

/// The role of an XML element in a feed; it determines how ``FeedReader`` reads the element.
enum ElementRole {
    /// The reader enters the element and reads its children.
    case container
    /// The reader skips the element and its children.
    case skipped
    /// The element is an item.
    case item
    /// The text of the element has the form `TextForm`, and is the value of the field `FeedField`.
    case text(FeedField, TextForm)
    /// The text of the element is the value of the field `FeedField`, which describes a person, such as an author.
    ///
    /// `TextForm` is the form of the text. If the name or the mail address is in inner elements, the reader treats the
    /// element as a `container` instead.
    case person(FeedField, TextForm)
}

/// A part of a feed or of an item.
///
/// The names of some cases begin with `substitute`. Such a part is used only if the main part is missing. For example,
/// `substituteTitle` is used only if the feed or the item has no `title`.
enum FeedField: Int {
    case title
    case substituteTitle
    case link
    /// The direct link of an item; the ordinary link counts readers and redirects to the direct one.
    case originalLink
    case id
    case substituteID
    case author
    case substituteAuthor
    /// An author of the original feed, for an entry that was copied from another feed.
    case sourceAuthor
    case published
    case updated
    /// A date that may be the time of publication or the time of an update.
    case date
    case summary
    case substituteSummary
    case content
    /// The time for which the feed may be cached.
    ///
    /// This case and all cases after it are the publisher's hints about when the feed changes; see ``FeedHints``.
    case timeToLive
    case updatePeriod
    case updateFrequency
    case skippedHour
    case skippedDay

    var isTitle: Bool { self == .title || self == .substituteTitle }
}

/// The form of the text in an element.
enum TextForm {
    /// Plain text.
    ///
    /// The tags of inner elements are dropped, and their text is kept.
    case plain
    /// HTML whose tags are escaped, such as `&lt;b&gt;`; the tags of inner elements are kept too.
    case html
    /// XHTML: inner elements are markup, and the characters between them are literal.
    case xhtml
    /// Text in base64; the associated value tells whether the decoded text is HTML or plain text.
    case base64(MarkedText.Markup)
}
