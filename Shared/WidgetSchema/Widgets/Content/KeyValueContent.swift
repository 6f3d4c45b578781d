// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A list of facts, each of which is a pair of a key and a value.
///
/// The facts are sorted by key, or are in the order in which the configuration names them.
public struct KeyValueContent: Codable, Hashable, Sendable {
    public static let maximumPairs = 50

    public var pairs: [KeyValuePair]

    /// A Boolean value that indicates whether displays should show the widget; nil if the content says nothing about it.
    public var hasContent: Bool?

    public init(pairs: [KeyValuePair], hasContent: Bool? = nil) {
        self.pairs = pairs
        self.hasContent = hasContent
    }

    /// Returns the facts that the elements of `values` select, in the order and with the labels of `values`.
    ///
    /// Each element selects the fact whose key is the element's label. If there is no such fact, the element's JSON
    /// pointer is used instead: the pointer `/location/city` selects the fact with the key `location.city`. If no
    /// element selects a fact, all facts are returned unchanged.
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
