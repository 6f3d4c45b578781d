// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A reference to a content whose JSON is in a separate frame of the message.
public struct ContentReference: Codable, Hashable, Sendable {
    /// The key of the parsing that produced the content (``Parsing/key``).
    public var parsing: String
    /// The SHA-256 of the frame with the content's JSON.
    public var digest: ContentDigest

    public init(parsing: String, digest: ContentDigest) {
        self.parsing = parsing
        self.digest = digest
    }
}
