// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// How one format of feeds says things: which element means what.
protocol FeedDialect {
    /// What has been read so far.
    var draft: FeedDraft { get set }
    /// Whether an element begins an item of this format, wherever it stands.
    func isItem(_ element: XMLElement) -> Bool
    /// What an element means that stands in those that were entered; takes what its attributes say.
    mutating func role(of element: XMLElement, in parent: XMLElement) -> ElementRole
    /// Takes what the attributes of an item's start tag say.
    mutating func didBeginItem(_ element: XMLElement)
    /// Takes the text of an element that was a `field`.
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

/// What an element means to a reader of feeds.
enum ElementRole {
    /// Its children are read.
    case container
    /// Neither it nor anything in it matters.
    case skipped
    /// It begins an item, and its end ends it.
    case item
    /// Its text is wanted.
    case text(FeedField, TextForm)
}

/// The parts of a feed or of an item that readers want.
///
/// Where a part has an `other`, that comes from a second vocabulary and counts where the first says nothing.
enum FeedField: Int {
    case title
    case otherTitle
    case link
    /// Where a link led before a service that counts its readers replaced it.
    case originalLink
    case id
    case otherID
    case author
    case otherAuthor
    case published
    case updated
    /// A date that does not tell of what.
    case date
    case summary
    case otherSummary
    case content
    /// What a feed says about when it changes; `FeedHints` tells what they mean.
    case timeToLive
    case updatePeriod
    case updateFrequency
    case skippedHour
    case skippedDay
}

/// How an element holds its text.
enum TextForm {
    /// As characters; elements within are dropped, their text is kept.
    case plain
    /// As characters that are HTML; elements within are part of it.
    case html
    /// As elements, whose text stands for itself.
    case xhtml
    /// As characters that are base64 of the text, which is HTML or plain.
    case base64(MarkedText.Markup)
}
