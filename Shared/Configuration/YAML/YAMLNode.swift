// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A value of a YAML document, with the place where it begins.
struct YAMLNode: Sendable, Equatable {
    struct Entry: Sendable, Equatable {
        var key: String
        var keyMark: YAMLMark
        var value: YAMLNode
    }

    enum Content: Sendable, Equatable {
        /// The text of a scalar, without its quotes.
        ///
        /// `isPlain` is true if the scalar has no quotes. Only then do `true`, `12` and an empty text have a special
        /// meaning.
        case scalar(String, isPlain: Bool)
        case sequence([YAMLNode])
        /// The entries in the order of the file; keys are unique.
        case mapping([Entry])
    }

    var content: Content
    var mark: YAMLMark

    /// A Boolean value that indicates whether the node is an empty plain scalar, `~` or `null`.
    var isNull: Bool {
        guard case .scalar(let text, isPlain: true) = content else { return false }
        return ["", "~", "null", "Null", "NULL"].contains(text)
    }

    /// The maximum number of characters of a text that errors show.
    static let maximumShown = 200

    /// A description of the node for errors, such as `a list`; a long text is cut off.
    var kind: String {
        if isNull { return "nothing" }
        switch content {
        case .scalar(let text, _):
            // The bytes are counted first, because counting the characters of a long text takes long.
            guard text.utf8.count > Self.maximumShown, text.count > Self.maximumShown else { return "'\(text)'" }
            return "'\(text.prefix(Self.maximumShown))…'"
        case .sequence: return "a list"
        case .mapping: return "a mapping"
        }
    }
}
