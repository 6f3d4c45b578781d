// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The rules for links that widgets may open.
public enum LinkSchemes {
    /// The schemes that make a link invalid.
    ///
    /// Some of these schemes belong to no app; links with the others run code or read data on the device.
    private static let refused: Set<String> = [
        "javascript", "vbscript", "data", "file", "blob", "about", "view-source", "filesystem",
    ]

    /// Returns whether a link begins with `http://` or `https://`, and has at least one further character.
    public static func isOfTheWeb(_ link: String) -> Bool {
        for prefix in ["https://", "http://"] where hasPrefix(prefix.utf8, link.utf8) {
            return link.utf8.count > prefix.utf8.count
        }
        return false
    }

    /// Returns whether a link is a web link, or has an app's own scheme (RFC 3986, section 3.1).
    public static func isOfTheWebOrAnApp(_ link: String) -> Bool {
        guard !isOfTheWeb(link) else { return true }
        let bytes = link.utf8
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), let first = bytes.first, isLetter(lowercased(first))
        else { return false }
        let isScheme = bytes[..<colon].allSatisfy { byte in
            isLetter(lowercased(byte)) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
        }
        guard isScheme else { return false }
        let scheme = link[..<colon].lowercased()
        return scheme != "http" && scheme != "https" && !refused.contains(scheme)
    }

    /// Returns whether `bytes` begins with `prefix`, ignoring the case of ASCII letters in `bytes`.
    ///
    /// All letters in `prefix` must be in lower case.
    private static func hasPrefix(_ prefix: String.UTF8View, _ bytes: String.UTF8View) -> Bool {
        var rest = bytes.makeIterator()
        return prefix.allSatisfy { byte in rest.next().map(lowercased) == byte }
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }
}
