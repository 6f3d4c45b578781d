// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A way to parse the document of a source: the kind of widget, and the options for parsing.
///
/// Widgets that have the same source and equal parsings share one content.
public struct Parsing: Codable, Hashable, Sendable {
    public var kind: WidgetKind
    public var options: [String: String]

    public init(kind: WidgetKind, options: [String: String] = [:]) {
        self.kind = kind
        self.options = options
    }

    /// The id of this parsing within its source, such as `feed` or `json;list=/items;title=/name`.
    ///
    /// `%`, `;` and `=` in names and values are percent-encoded (RFC 3986, section 2.1).
    public var key: String {
        let options = options.sorted { $0.key < $1.key }.map { "\(Self.escaped($0.key))=\(Self.escaped($0.value))" }
        return ([kind.rawValue] + options).joined(separator: ";")
    }

    private static func escaped(_ text: String) -> String {
        guard text.utf8.contains(where: { [0x25, 0x3B, 0x3D].contains($0) }) else { return text }
        return text.reduce(into: "") { escaped, character in
            switch character {
            case "%": escaped += "%25"
            case ";": escaped += "%3B"
            case "=": escaped += "%3D"
            default: escaped.append(character)
            }
        }
    }
}
