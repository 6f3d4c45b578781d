// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import JSON
import WidgetSchema

/// The format of log entries: one line of text, or one JSON object per line.
public enum LogFormat: String, Sendable, CaseIterable {
    case text
    case json

    /// The maximum length of a line in bytes, including its newline.
    ///
    /// It is `PIPE_BUF` on Linux: writes of at most this size to a pipe are atomic, so lines of processes that share a
    /// pipe are never interleaved.
    public static let maximumLineBytes = 4_096
    /// The maximum length of a value in bytes; a longer value is cut, and `…` is appended.
    ///
    /// If the line is longer than ``maximumLineBytes``, the limit is halved for all values of the entry. This is
    /// repeated until the line fits, or until the limit is 4 bytes.
    public static let maximumValueBytes = 1_024

    /// Returns the entry as one line with its newline.
    ///
    /// Control characters are escaped, so that an entry is always one line.
    public func line(_ entry: LogEntry) -> String {
        var valueBytes = Self.maximumValueBytes
        while true {
            let line = render(entry, valueBytes: valueBytes)
            if line.count <= Self.maximumLineBytes || valueBytes <= 4 { return String(decoding: line, as: UTF8.self) }
            valueBytes /= 2
        }
    }

    private func render(_ entry: LogEntry, valueBytes: Int) -> [UInt8] {
        let values = entry.metadata.sorted { $0.key < $1.key }
        switch self {
        case .text: return Self.text(entry, values, valueBytes: valueBytes)
        case .json: return Self.json(entry, values, valueBytes: valueBytes)
        }
    }

    private static func text(_ entry: LogEntry, _ values: [LogEntry.Metadata.Element], valueBytes: Int) -> [UInt8] {
        var line = Array("\(timestamp(entry.time)) \(entry.level) \(entry.label): ".utf8)
        JSONText.append(escapingControlsOf: entry.message, to: &line)
        for (key, value) in values {
            line += " \(key.rawValue)=".utf8
            let text = cut(value.description, bytes: valueBytes)
            if needsQuotes(text) {
                JSONText.append(text, to: &line, escapes: .allControls)
            } else {
                line += text.utf8
            }
        }
        line.append(10)
        return line
    }

    private static func json(_ entry: LogEntry, _ values: [LogEntry.Metadata.Element], valueBytes: Int) -> [UInt8] {
        var line = Array("{\"time\":\"\(timestamp(entry.time))\",\"level\":\"\(entry.level)\",\"logger\":".utf8)
        JSONText.append(entry.label, to: &line, escapes: .allControls)
        line += ",\"message\":".utf8
        JSONText.append(entry.message, to: &line, escapes: .allControls)
        for (key, value) in values {
            line += ",\"\(key.rawValue)\":".utf8
            switch value {
            case let number as any BinaryInteger: JSONText.append(integer: number, to: &line)
            case let flag as Bool: JSONText.append(flag, to: &line)
            case let number as Double where number.isFinite: JSONText.append(number: number, to: &line)
            default: JSONText.append(cut(value.description, bytes: valueBytes), to: &line, escapes: .allControls)
            }
        }
        line += "}\n".utf8
        return line
    }

    private static func needsQuotes(_ text: String) -> Bool {
        text.isEmpty
            || text.unicodeScalars.contains { isControl($0) || $0 == " " || $0 == "\"" || $0 == "=" || $0 == "\\" }
    }

    /// Returns whether a scalar is a control character, or a separator that some viewers display as a line end.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .control || scalar == "\u{2028}" || scalar == "\u{2029}"
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

    /// Returns a time such as `2026-11-21T00:49:16.123Z`, computed with integer arithmetic because formatters are slow.
    static func timestamp(_ time: Date) -> String {
        Instant(milliseconds: Int64((time.timeIntervalSince1970 * 1_000).rounded(.down))).description
    }
}
