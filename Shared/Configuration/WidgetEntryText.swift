// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import WidgetSchema

/// The text of one widget's entry below `widgets:` in a configuration.
public struct WidgetEntryText: Sendable {
    public var id: WidgetID
    public var parsing: Parsing
    public var url: String

    public init(id: WidgetID, parsing: Parsing, url: String) {
        self.id = id
        self.parsing = parsing
        self.url = url
    }

    /// The lines of the entry; each is indented by at least two spaces and ends with a newline.
    public var text: String {
        // Without quotes, YAML reads ids such as `on` or `2026` as values of another type.
        var text = "  \"\(id)\":\n    kind: \(parsing.kind.rawValue)\n    source: \(YAMLText.quoted(url))\n"
        guard case .json(let rows?) = parsing else { return text }
        text += "    items:\n"
        for (name, pointer) in rows.pointers where pointer != .root {
            text += "      \(name): \(YAMLText.quoted(pointer.description))\n"
        }
        return text
    }
}

/// A writer for YAML scalars.
public enum YAMLText {
    /// Returns a text as a double-quoted scalar.
    public static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                result += "\\x" + scalar.value.padded(to: 2, radix: 16)
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
