// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// Which links widgets may open.
public enum LinkSchemes {
    /// What no app has for its own, and what would run or read something on the device that shows it.
    private static let refused: Set<String> = [
        "javascript", "vbscript", "data", "file", "blob", "about", "view-source", "filesystem",
    ]

    /// Whether a link is one of the web: absolute, `http` or `https`, with a host.
    public static func isOfTheWeb(_ link: String) -> Bool {
        for prefix in ["https://", "http://"] where link.lowercased().hasPrefix(prefix) {
            return link.utf8.count > prefix.utf8.count
        }
        return false
    }

    /// Whether a link is one of the web, or of an app's own scheme (RFC 3986, section 3.1).
    public static func isOfTheWebOrAnApp(_ link: String) -> Bool {
        guard !isOfTheWeb(link) else { return true }
        guard let colon = link.firstIndex(of: ":") else { return false }
        let scheme = link[..<colon].lowercased()
        guard let first = scheme.utf8.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first) else {
            return false
        }
        let isScheme = scheme.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || [UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: ".")].contains(byte)
        }
        return isScheme && scheme != "http" && scheme != "https" && !refused.contains(scheme)
    }
}
