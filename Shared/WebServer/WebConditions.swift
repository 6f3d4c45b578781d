// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The validators of a representation, for conditional requests (RFC 9110 §13).
package struct WebValidators: Sendable, Hashable {
    /// The entity tag with its quotation marks: `"abc"` or `W/"abc"`.
    package var entityTag: String
    /// The time of the last modification in Unix seconds; nil if unknown.
    package var lastModified: Int64?

    package init(entityTag: String, lastModified: Int64? = nil) {
        self.entityTag = entityTag
        self.lastModified = lastModified
    }

    /// Returns whether the request's conditions show that the client already has this representation.
    ///
    /// `If-None-Match` is compared weakly and takes precedence over `If-Modified-Since` (RFC 9110 §13.2.2).
    package func areCurrent(for request: WebRequest) -> Bool {
        guard request.method == "GET" || request.method == "HEAD" else { return false }
        if let list = request.list("If-None-Match") { return Self.matches(list, entityTag) }
        guard let lastModified, let text = request.header("If-Modified-Since"), let since = HTTPDate.seconds(text)
        else { return false }
        return lastModified <= since
    }

    package var headers: [WebHeader] {
        [WebHeader("ETag", entityTag)] + (lastModified.map { [WebHeader("Last-Modified", HTTPDate.text($0))] } ?? [])
    }

    private static func matches(_ list: String, _ tag: String) -> Bool {
        let wanted = opaque(tag[...])
        var rest = list[...]
        while true {
            rest = rest.drop { $0 == " " || $0 == "\t" || $0 == "," }
            if rest.first == "*" { return true }
            if rest.hasPrefix("W/") { rest = rest.dropFirst(2) }
            guard rest.first == "\"", let end = rest.dropFirst().firstIndex(of: "\"") else { return false }
            if rest[...end] == wanted { return true }
            rest = rest[rest.index(after: end)...]
        }
    }

    private static func opaque(_ tag: Substring) -> Substring { tag.hasPrefix("W/") ? tag.dropFirst(2) : tag }
}
