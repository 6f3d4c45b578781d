// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The names of elements and attributes with a meaning in feeds and subscription lists.
///
/// They are in lower case, because some feeds change the case.
enum XMLName: String, CaseIterable, Sendable {
    /// Any other name.
    case unknown = ""

    // Documents and their items.
    case channel
    case entry
    case feed
    case html
    case item
    case rdf
    case rss

    // Their parts.
    case abstract
    case author
    case available
    case bag
    case body
    case content
    case contributor
    case created
    case creator
    case date
    case datesubmitted
    case day
    case description
    case div
    case email
    case enclosure
    case encoded
    case fullitem
    case group
    case guid
    case hour
    case id
    case identifier
    case info
    case issued
    case items
    case li
    case link
    case managingeditor
    case modified
    case name
    case origlink
    case pubdate
    case published
    case seq
    case skipdays
    case skiphours
    case source
    case subtitle
    case summary
    case tagline
    case title
    case ttl
    case updated
    case updatefrequency
    case updateperiod
    case uri
    case value

    // Attributes.
    case about
    case base
    case href
    case ispermalink
    case medium
    case mode
    case rel
    case resource
    case src
    case type
    case url
    case version
    case xmlns

    // Lists of subscriptions.
    case head
    case opml
    case outline
    case text
    case xmlurl

    private static let byText = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })

    /// Creates the name from a text, ignoring case; `unknown` if the text is none of these names.
    init(_ text: String) {
        self = Self.byText[text.lowercased()] ?? .unknown
    }
}
