// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import FoundationEssentials
public import WidgetSchema

/// The body of an origin's answer, with the facts about the answer that parsing needs.
public struct SourceBody: Sendable {
    public var bytes: Data
    /// The value of the header `Content-Type`.
    public var contentType: String?
    /// The URL of the body after redirects, the base of relative links.
    public var documentURL: String
    /// The time of the answer, from which the relative days of a forecast count; nil if it is unknown.
    public var received: Instant?

    public init(_ bytes: Data, contentType: String?, documentURL: String, received: Instant? = nil) {
        self.bytes = bytes
        self.contentType = contentType
        self.documentURL = documentURL
        self.received = received
    }
}
