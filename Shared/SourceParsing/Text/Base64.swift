// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A decoder for Base64 (RFC 4648, section 4) that ignores white space and accepts missing padding.
enum Base64 {
    /// Decodes `text`; returns nil if `text` is not valid Base64, or if the decoded bytes are empty or not UTF-8.
    static func decode(_ text: String) -> String? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count / 4 * 3)
        var bits: UInt32 = 0
        var count = 0
        var isPadded = false
        for character in text.utf8 {
            let value: UInt8
            switch character {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = character - 65
            case UInt8(ascii: "a")...UInt8(ascii: "z"): value = character - 71
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = character + 4
            case UInt8(ascii: "+"): value = 62
            case UInt8(ascii: "/"): value = 63
            case UInt8(ascii: "="):
                isPadded = true
                continue
            case 9...13, 32: continue
            default: return nil
            }
            guard !isPadded else { return nil }
            bits = bits << 6 | UInt32(value)
            count += 1
            guard count == 4 else { continue }
            bytes.append(UInt8(truncatingIfNeeded: bits >> 16))
            bytes.append(UInt8(truncatingIfNeeded: bits >> 8))
            bytes.append(UInt8(truncatingIfNeeded: bits))
            count = 0
        }
        switch count {
        case 0: break
        case 2: bytes.append(UInt8(truncatingIfNeeded: bits >> 4))
        case 3:
            bytes.append(UInt8(truncatingIfNeeded: bits >> 10))
            bytes.append(UInt8(truncatingIfNeeded: bits >> 2))
        default: return nil
        }
        return bytes.isEmpty ? nil : String(validating: bytes, as: UTF8.self)
    }
}
