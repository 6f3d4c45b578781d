// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The meaning of the elements in one format of feeds.
protocol FeedDialect {
    /// The feed as read so far.
    var draft: FeedDraft { get set }
    /// Returns whether an element begins an item of this format, at any place.
    func isItem(_ element: XMLElement) -> Bool
    /// Returns the role of an element whose parents were entered; takes the values of its attributes.
    mutating func role(of element: XMLElement, in parent: XMLElement) -> ElementRole
    /// Takes the values of the attributes of an item's start tag.
    mutating func didBeginItem(_ element: XMLElement)
    /// Takes the text of an element whose role is a field.
    mutating func take(_ field: FeedField, _ text: MarkedText, of element: XMLElement)
}

extension FeedDialect {
    mutating func didBeginItem(_ element: XMLElement) {}

    mutating func take(_ field: FeedField, _ text: MarkedText, of element: XMLElement) {
        draft.take(field, text, base: element.base)
    }

    /// What the elements mean that other vocabularies add to any format.
    mutating func role(ofExtension element: XMLElement) -> ElementRole {
        switch element.vocabulary {
        case .dublinCore:
            switch element.name {
            case .title: return .text(.otherTitle, .html)
            case .creator, .author: return .text(.author, .html)
            case .contributor: return .text(.otherAuthor, .html)
            case .description: return .text(.otherSummary, .html)
            case .identifier: return .text(.otherID, .plain)
            case .date, .available: return .text(.date, .plain)
            case .created, .issued, .datesubmitted: return .text(.published, .plain)
            case .modified: return .text(.updated, .plain)
            default: return .skipped
            }
        case .content:
            return element.name == .encoded ? .text(.content, .html) : .skipped
        case .itunes:
            switch element.name {
            case .title: return .text(.otherTitle, .html)
            case .author: return .text(.otherAuthor, .html)
            case .summary, .subtitle: return .text(.otherSummary, .html)
            default: return .skipped
            }
        case .media:
            switch element.name {
            case .group: return .container
            case .content:
                if draft.isInItem, let reference = element.attribute(.url) {
                    draft.take(link: reference, .enclosure(type: element.attribute(.type)), base: element.base)
                }
                return .container
            case .title: return .text(.otherTitle, .html)
            case .description: return .text(.otherSummary, .html)
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
        case .rss, .atom, .rdf, .other:
            return .skipped
        }
    }
}

/// The role of an element for a reader of feeds.
enum ElementRole {
    /// The reader enters the element and reads its children.
    case container
    /// The reader skips the element and its children.
    case skipped
    /// The element is an item.
    case item
    /// The element's text is a field.
    case text(FeedField, TextForm)
}

/// A part of a feed or of an item.
///
/// A part whose name begins with `other` comes from a second vocabulary, and counts only if the first part is missing.
enum FeedField: Int {
    case title
    case otherTitle
    case link
    /// The original link, which a reader-counting service replaced.
    case originalLink
    case id
    case otherID
    case author
    case otherAuthor
    case published
    case updated
    /// A date of unknown meaning.
    case date
    case summary
    case otherSummary
    case content
    /// The publisher's advice about when the feed changes; see `FeedHints`.
    case timeToLive
    case updatePeriod
    case updateFrequency
    case skippedHour
    case skippedDay
}

/// The form of the text in an element.
enum TextForm {
    /// Plain characters; the tags of inner elements are dropped, but their text is kept.
    case plain
    /// Characters that are HTML; inner elements are part of it.
    case html
    /// Elements, whose text is literal.
    case xhtml
    /// Characters that are base64 of the text, which is HTML or plain.
    case base64(MarkedText.Markup)
}
