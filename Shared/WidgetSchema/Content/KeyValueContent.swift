// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// Facts as pairs of texts: sorted by key, or in the order in which a configuration names them.
public struct KeyValueContent: Codable, Hashable, Sendable {
    public static let maximumPairs = 50

    public var pairs: [KeyValuePair]

    public init(pairs: [KeyValuePair]) { self.pairs = pairs }
}

/// One fact.
public struct KeyValuePair: Codable, Hashable, Sendable {
    public static let maximumKeyCharacters = 100
    public static let maximumValueCharacters = 300

    /// Unique within its content.
    public var key: String
    public var value: String

    public init(key: String, value: String) {
        self.key = key
        self.value = value
    }
}
