// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A request to a fetcher to request a URL once, and to read the answer as content for widgets.
///
/// Nothing is stored or published. The gateway sends it for the function "Add a widget".
public struct InspectRequest: RequestBody {
    public static let name = "inspect"
    public typealias Result = InspectAnswer

    public var url: String
    /// The kind of widget to try; nil to try every kind that the document's format allows.
    public var kind: WidgetKind?
    /// A Boolean value that indicates whether the URL may lead to a private address, also after redirects.
    public var allowPrivateNetworks: Bool

    public init(url: String, kind: WidgetKind?, allowPrivateNetworks: Bool) {
        self.url = url
        self.kind = kind
        self.allowPrivateNetworks = allowPrivateNetworks
    }
}

/// The result of an inspection; its JSON has at most ``MessageLimits/page`` bytes.
public struct InspectAnswer: Codable, Hashable, Sendable {
    /// A parsing that can read the document, with the resulting content.
    public struct Reading: Codable, Hashable, Sendable {
        public var parsing: Parsing
        public var content: Content
        /// The title of a feed; nil for other content, or if the feed has no title.
        public var title: String?

        public init(parsing: Parsing, content: Content, title: String?) {
            self.parsing = parsing
            self.content = content
            self.title = title
        }
    }

    public struct Problem: Codable, Hashable, Sendable {
        public enum Kind: String, Codable, CaseIterable, Sendable {
            /// There is no answer, for example because the name of the host is unknown.
            case noAnswer
            /// The answer is no document that a widget can show.
            case nothingToShow
        }

        public var kind: Kind
        /// A sentence that begins with the URL of the answer.
        public var message: String

        public init(_ kind: Kind, _ message: String) {
            self.kind = kind
            self.message = message
        }
    }

    /// The readings of the document, the most specific kind first.
    public var readings: [Reading]
    /// The URL of the first feed that the answer announces, if the answer is a web page.
    public var announcedFeed: String?
    /// The reason why there are no readings; nil if there are readings or an announced feed.
    public var problem: Problem?

    public init(readings: [Reading] = [], announcedFeed: String? = nil, problem: Problem? = nil) {
        self.readings = readings
        self.announcedFeed = announcedFeed
        self.problem = problem
    }
}
