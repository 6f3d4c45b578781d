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
        if hasPrefix("https://", link) { return link.utf8.count > "https://".utf8.count }
        return hasPrefix("http://", link) && link.utf8.count > "http://".utf8.count
    }

    /// Returns whether a link is a web link, or has an app's own scheme (RFC 3986, section 3.1).
    public static func isOfTheWebOrAnApp(_ link: String) -> Bool {
        guard !isOfTheWeb(link) else { return true }
        guard let scheme = scheme(of: link) else { return false }
        return scheme != "http" && scheme != "https" && !refused.contains(scheme)
    }

    /// Returns the scheme of a link in lower case, such as `https` or `myapp`; nil if the link has none.
    public static func scheme(of link: String) -> String? {
        schemeLength(link).map { Substring(link.utf8.prefix($0)).lowercased() }
    }

    /// Returns the number of bytes of a link's scheme; nil if the link does not begin with a scheme and a colon.
    private static func schemeLength(_ link: String) -> Int? {
        let bytes = link.utf8.span
        for index in bytes.indices {
            let byte = lowercased(bytes[index])
            if byte == UInt8(ascii: ":") { return index > 0 ? index : nil }
            guard byte.isLowercaseLetter || index > 0 && (byte.isDigit || "+-.".utf8.contains(byte)) else { return nil }
        }
        return nil
    }

    /// Returns whether `link` begins with `prefix`, ignoring the case of ASCII letters in `link`.
    ///
    /// All letters in `prefix` must be in lower case.
    private static func hasPrefix(_ prefix: String, _ link: String) -> Bool {
        let (prefix, bytes) = (prefix.utf8.span, link.utf8.span)
        guard prefix.count <= bytes.count else { return false }
        for index in prefix.indices where lowercased(bytes[index]) != prefix[index] { return false }
        return true
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}
