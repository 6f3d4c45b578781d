// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WidgetSchema

/// The format of log entries: one line of text, or one JSON object per line.
public enum LogFormat: String, Sendable, CaseIterable {
    case text
    case json

    /// The maximum length of a line, including its newline: `PIPE_BUF` on Linux, so that lines of several processes
    /// that share a pipe are never interleaved.
    public static let maximumLineBytes = 4_096
    /// The maximum length of a value; a longer one is cut and ends with `…`.
    ///
    /// It is reduced if the line would become too long.
    public static let maximumValueBytes = 1_024

    /// Returns the entry as one line with its newline.
    ///
    /// Control characters are escaped, so that an entry is always one line.
    public func line(_ entry: LogEntry) -> String {
        var valueBytes = Self.maximumValueBytes
        while true {
            let line = render(entry, valueBytes: valueBytes) + "\n"
            if line.utf8.count <= Self.maximumLineBytes || valueBytes <= 4 { return line }
            valueBytes /= 2
        }
    }

    private func render(_ entry: LogEntry, valueBytes: Int) -> String {
        let values = entry.metadata.sorted { $0.key < $1.key }
        switch self {
        case .text:
            var line = "\(Self.timestamp(entry.time)) \(entry.level) \(entry.label): "
            Self.append(escaping: entry.message, to: &line, quote: nil)
            for (key, value) in values {
                line += " \(key.rawValue)="
                let text = Self.cut(value.description, bytes: valueBytes)
                if Self.needsQuotes(text) {
                    Self.append(escaping: text, to: &line, quote: "\"")
                } else {
                    line += text
                }
            }
            return line
        case .json:
            var line = "{\"time\":\"\(Self.timestamp(entry.time))\",\"level\":\"\(entry.level)\",\"logger\":"
            Self.append(escaping: entry.label, to: &line, quote: "\"")
            line += ",\"message\":"
            Self.append(escaping: entry.message, to: &line, quote: "\"")
            for (key, value) in values {
                line += ",\"\(key.rawValue)\":"
                switch value {
                case let number as any BinaryInteger:
                    line += number.description
                case let flag as Bool:
                    line += flag ? "true" : "false"
                case let number as Double where number.isFinite:
                    line += number.description
                default:
                    Self.append(escaping: Self.cut(value.description, bytes: valueBytes), to: &line, quote: "\"")
                }
            }
            return line + "}"
        }
    }

    private static func needsQuotes(_ text: String) -> Bool {
        text.isEmpty
            || text.unicodeScalars.contains { isControl($0) || $0 == " " || $0 == "\"" || $0 == "=" || $0 == "\\" }
    }

    /// Returns whether a scalar is a control character, or a separator that some viewers display as a line end.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .control || scalar == "\u{2028}" || scalar == "\u{2029}"
    }

    private static func append(escaping text: String, to line: inout String, quote: Character?) {
        if let quote { line.append(quote) }
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n": line += "\\n"
            case "\r": line += "\\r"
            case "\t": line += "\\t"
            case "\"" where quote != nil: line += "\\\""
            case "\\" where quote != nil: line += "\\\\"
            case _ where isControl(scalar):
                let digits = String(scalar.value, radix: 16)
                line += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: line.unicodeScalars.append(scalar)
            }
        }
        if let quote { line.append(quote) }
    }

    private static func cut(_ text: String, bytes: Int) -> String {
        guard text.utf8.count > bytes else { return text }
        var kept = String.UnicodeScalarView()
        var count = 0
        for scalar in text.unicodeScalars {
            count += UTF8.width(scalar)
            if count > bytes { break }
            kept.append(scalar)
        }
        return String(kept) + "…"
    }

    /// Returns `2026-11-21T00:49:16.123Z`, computed with integer arithmetic instead of a formatter.
    static func timestamp(_ time: Date) -> String {
        Instant(milliseconds: Int64((time.timeIntervalSince1970 * 1_000).rounded(.down))).description
    }
}
