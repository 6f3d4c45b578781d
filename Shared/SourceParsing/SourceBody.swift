// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import FoundationEssentials
public import WidgetSchema

/// The body of an origin's answer, with the other values of the answer that parsing needs.
public struct SourceBody: Sendable {
    public var bytes: Data
    /// The value of the header `Content-Type`.
    public var contentType: String?
    /// The URL of the body after redirects, the base of relative links.
    public var documentURL: String
    /// The time at which the answer was received; nil if it is unknown.
    ///
    /// In a forecast without a date, relative days such as `daysFromNow` count from the day of this time.
    public var received: Instant?

    public init(_ bytes: Data, contentType: String?, documentURL: String, received: Instant? = nil) {
        self.bytes = bytes
        self.contentType = contentType
        self.documentURL = documentURL
        self.received = received
    }
}
