// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import FoundationEssentials

/// A decoder for Base64 (RFC 4648, section 4) that ignores white space and accepts missing padding.
enum Base64 {
    /// Decodes `text`; returns nil if `text` is not valid Base64, or if the decoded bytes are empty or not UTF-8.
    static func decode(_ text: String) -> String? {
        var digits = Data(text.utf8.filter { !PlainText.isSpace($0) })
        while digits.last == UInt8(ascii: "=") { digits.removeLast() }
        digits.append(contentsOf: repeatElement(UInt8(ascii: "="), count: (4 - digits.count % 4) % 4))
        guard let bytes = Data(base64Encoded: digits), !bytes.isEmpty else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }
}
