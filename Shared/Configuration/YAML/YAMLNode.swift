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
        /// The text as written; `isPlain` where it had no quotes, so that `true`, `12` and nothing have a meaning.
        case scalar(String, isPlain: Bool)
        case sequence([YAMLNode])
        /// Keys are unique, and in the order of the file.
        case mapping([Entry])
    }

    var content: Content
    var mark: YAMLMark

    /// Nothing at all: an empty plain scalar, `~` or `null`.
    var isNull: Bool {
        guard case .scalar(let text, isPlain: true) = content else { return false }
        return ["", "~", "null", "Null", "NULL"].contains(text)
    }

    /// The kind of the node, for error messages.
    var kind: String {
        if isNull { return "nothing" }
        switch content {
        case .scalar(let text, _): return "'\(text)'"
        case .sequence: return "a list"
        case .mapping: return "a mapping"
        }
    }
}
