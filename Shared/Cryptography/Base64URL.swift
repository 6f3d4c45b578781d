// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import FoundationEssentials

/// The encoding of bytes with letters, digits, `-` and `_`, without padding (RFC 4648, section 5; RFC 7515, appendix C).
package enum Base64URL {
    package static func encode(_ bytes: [UInt8]) -> String {
        let text = Data(bytes).base64EncodedString().utf8.compactMap { byte -> UInt8? in
            switch byte {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            case UInt8(ascii: "="): nil
            default: byte
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the bytes that a text encodes; nil if the text contains another character.
    ///
    /// Padding at the end is accepted, because some browsers add it.
    package static func decode(_ text: String) -> [UInt8]? {
        var standard: [UInt8] = []
        for byte in text.utf8.reversed().drop(while: { $0 == UInt8(ascii: "=") }).reversed() {
            switch byte {
            case UInt8(ascii: "-"): standard.append(UInt8(ascii: "+"))
            case UInt8(ascii: "_"): standard.append(UInt8(ascii: "/"))
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"):
                standard.append(byte)
            default: return nil
            }
        }
        guard standard.count % 4 != 1 else { return nil }
        standard += repeatElement(UInt8(ascii: "="), count: (4 - standard.count % 4) % 4)
        return Data(base64Encoded: Data(standard)).map { Array($0) }
    }
}
