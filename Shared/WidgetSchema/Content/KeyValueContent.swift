// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// Facts as pairs of texts: sorted by key, or in the order in which a configuration names them.
public struct KeyValueContent: Codable, Hashable, Sendable {
    public static let maximumPairs = 50

    public var pairs: [KeyValuePair]

    /// A Boolean value that indicates whether hosts should show the widget; nil if the content says nothing about it.
    public var hasContent: Bool?

    public init(pairs: [KeyValuePair], hasContent: Bool? = nil) {
        self.pairs = pairs
        self.hasContent = hasContent
    }

    /// Returns the facts that `values` select, in the order of `values` and with the labels of `values`.
    ///
    /// A value selects the fact whose key is the value's label or, if there is none, the value's pointer written with
    /// dots, such as `location.city`. Returns all facts unchanged if no value selects a fact.
    public func labelled(by values: [KeyValueParsing.Value]) -> KeyValueContent {
        let texts = Dictionary(pairs.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
        let named = values.compactMap { value -> KeyValuePair? in
            let text = texts[value.label] ?? texts[value.pointer.tokens.joined(separator: ".")]
            return text.map { KeyValuePair(key: value.label, value: $0) }
        }
        return named.isEmpty ? self : KeyValueContent(pairs: named, hasContent: hasContent)
    }
}

/// One fact.
public struct KeyValuePair: Codable, Hashable, Sendable {
    public static let maximumKeyCharacters = 100
    public static let maximumValueCharacters = 300

    /// The key, which is unique within the content.
    public var key: String
    public var value: String

    public init(key: String, value: String) {
        self.key = key
        self.value = value
    }
}
