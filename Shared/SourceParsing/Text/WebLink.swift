// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import WidgetSchema

/// Functions for absolute links with the scheme http or https.
enum WebLink {
    /// The maximum size of a link in bytes; longer ones are dropped.
    static let maximumBytes = 4096
    /// The number of bytes of a base that count as one of ``ParsingWork/steps`` for each reference that is resolved.
    static let baseBytesPerStep = 16

    /// Returns the absolute form of a link, resolved against `base`; nil if the result is not an http or https URL.
    static func resolve(_ reference: String, base: String) -> String? {
        if isPlainAbsolute(reference) { return reference }
        guard reference.utf8.count <= maximumBytes * 2 else { return nil }
        let joined = join(reference, base: base)
        guard isAbsolute(joined), joined.utf8.count <= maximumBytes else { return nil }
        return joined
    }

    /// Returns the URL of a document as the base of its links; empty if the URL is longer than ``maximumBytes``.
    static func base(_ documentURL: String) -> String { documentURL.utf8.count <= maximumBytes ? documentURL : "" }

    /// Returns whether a text is an http or https URL with a host.
    static func isAbsolute(_ text: String) -> Bool {
        if isPlainAbsolute(text) { return true }
        let parts = Parts(cleaned(text))
        guard let scheme = parts.scheme, isWeb(scheme), let authority = parts.authority else { return false }
        let host = authority.lastIndex(of: UInt8(ascii: "@")).map { authority[($0 + 1)...] } ?? authority
        guard let first = host.first, first != UInt8(ascii: ":") else { return false }
        return !authority.contains { $0 <= 32 || $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "\"") }
    }

    /// Returns whether a text is an http or https URL with a host, or a relative reference with a path or a query.
    ///
    /// A single word, such as a number, is not such a reference.
    static func isPath(_ text: String) -> Bool {
        if isAbsolute(text) { return true }
        let bytes = cleaned(text)
        return Parts(bytes).scheme == nil && bytes.contains { "/?#.".utf8.contains($0) } && !bytes.contains(32)
    }

    /// Returns a link in which every escaped ampersand, such as `&amp;`, is an ampersand.
    ///
    /// Some programs escape the links of a document twice.
    static func unescaped(_ link: String) -> String {
        guard link.utf8.contains(UInt8(ascii: ";")) else { return link }
        var result: [UInt8] = []
        var rest = Array(link.utf8)[...]
        while let byte = rest.popFirst() {
            result.append(byte)
            guard byte == UInt8(ascii: "&") else { continue }
            while let name = ampersands.first(where: { rest.starts(with: $0) }) { rest = rest.dropFirst(name.count) }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static let ampersands = ["amp;", "AMP;", "#38;", "#038;", "#x26;", "#X26;"].map { Array($0.utf8) }

    /// Returns whether a text is an absolute link in its final form, which needs no resolving and no escaping.
    ///
    /// Nearly all links are in this form. The check is quick, and may return false for an unusual link.
    static func isPlainAbsolute(_ text: String) -> Bool {
        PlainText.withBytes(of: text) { bytes in
            guard bytes.count <= maximumBytes, bytes.starts(with: "http".utf8) else { return false }
            let scheme = bytes.count > 4 && bytes[4] == UInt8(ascii: "s") ? 5 : 4
            let host = scheme + 3
            guard bytes.count > host, bytes[scheme..<host].elementsEqual("://".utf8) else { return false }
            // An empty host, a user name, or an escaped ampersand needs the complete check.
            switch bytes[host] {
            case UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: "?"), UInt8(ascii: "#"): return false
            default:
                return bytes.allSatisfy {
                    !needsEscape($0) && $0 != UInt8(ascii: "@") && $0 != UInt8(ascii: ";")
                }
            }
        }
    }

    /// Resolves a reference against a base (RFC 3986, section 5.2), and escapes the result.
    ///
    /// If `base` has no scheme or no authority, it is ignored, and the reference is not resolved. A reference that
    /// begins with `//` then gets the scheme https.
    static func join(_ reference: String, base: String) -> String {
        if isPlainAbsolute(reference) { return reference }
        let reference = cleaned(reference)
        let parts = Parts(reference)
        if parts.scheme != nil { return escaped(reference) }
        let outer = Parts(cleaned(base))
        guard let scheme = outer.scheme, let authority = outer.authority else {
            return escaped(parts.authority == nil ? reference : Array("https:".utf8) + reference)
        }
        var target = scheme + Array("://".utf8) + (parts.authority ?? authority)
        if parts.authority != nil {
            target += withoutDots(parts.path)
        } else if parts.path.isEmpty {
            target += outer.path
        } else if parts.path.first == UInt8(ascii: "/") {
            target += withoutDots(parts.path)
        } else {
            let folder = outer.path.lastIndex(of: UInt8(ascii: "/")).map { outer.path[...$0] } ?? [UInt8(ascii: "/")]
            target += withoutDots(folder + parts.path)
        }
        if let query = parts.query {
            target += query
        } else if parts.path.isEmpty, parts.authority == nil, let query = outer.query {
            target += query
        }
        target += parts.fragment ?? []
        return escaped(target)
    }

    /// The parts of a reference (RFC 3986, appendix B); query and fragment include their delimiter.
    private struct Parts {
        var scheme: ArraySlice<UInt8>?
        var authority: ArraySlice<UInt8>?
        var path: ArraySlice<UInt8>
        var query: ArraySlice<UInt8>?
        var fragment: ArraySlice<UInt8>?

        init(_ bytes: [UInt8]) {
            var rest = bytes[...]
            if let hash = rest.firstIndex(of: UInt8(ascii: "#")) {
                fragment = rest[hash...]
                rest = rest[..<hash]
            }
            if let mark = rest.firstIndex(of: UInt8(ascii: "?")) {
                query = rest[mark...]
                rest = rest[..<mark]
            }
            let name = rest.prefix(while: WebLink.isSchemeByte)
            if let first = name.first, first.isLetter, name.endIndex < rest.endIndex,
                rest[name.endIndex] == UInt8(ascii: ":")
            {
                scheme = name
                rest = rest[(name.endIndex + 1)...]
            }
            if rest.starts(with: "//".utf8) {
                let start = rest.startIndex + 2
                let end = rest[start...].firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
                authority = rest[start..<end]
                rest = rest[end...]
            }
            path = rest
        }
    }

    private static func isWeb(_ scheme: ArraySlice<UInt8>) -> Bool {
        let lower = scheme.map { $0 | 0x20 }
        return lower.elementsEqual("https".utf8) || lower.elementsEqual("http".utf8)
    }

    private static func isSchemeByte(_ byte: UInt8) -> Bool {
        byte.isLetter || byte.isDigit || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
            || byte == UInt8(ascii: ".")
    }

    /// Returns a path without `.` and `..` segments (RFC 3986, section 5.2.4).
    private static func withoutDots(_ path: ArraySlice<UInt8>) -> [UInt8] {
        guard path.contains(UInt8(ascii: ".")) else { return Array(path) }
        let segments = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        var kept: [ArraySlice<UInt8>] = []
        for (index, segment) in segments.enumerated() {
            let isLast = index == segments.count - 1
            if segment.elementsEqual(".".utf8) {
                if isLast { kept.append([]) }
            } else if segment.elementsEqual("..".utf8) {
                // The first segment is the empty one before the leading slash.
                if kept.count > 1 { kept.removeLast() }
                if isLast { kept.append([]) }
            } else {
                kept.append(segment)
            }
        }
        return Array(kept.joined(separator: [UInt8(ascii: "/")]))
    }

    /// Returns the bytes without white space at the ends and without line breaks.
    private static func cleaned(_ text: String) -> [UInt8] {
        let bytes = Array(text.utf8)
        guard let first = bytes.first, let last = bytes.last else { return [] }
        if first > 32, last > 32, first < 0x80, last < 0x80, !bytes.contains(where: { $0 < 32 }) { return bytes }
        return PlainText.trimmed(text).utf8.filter { $0 >= 32 }
    }

    /// Returns the text with an escape for each character that a URL must not contain; percent signs are unchanged.
    private static func escaped(_ bytes: some Collection<UInt8>) -> String {
        guard bytes.contains(where: needsEscape) else { return String(decoding: bytes, as: UTF8.self) }
        let digits = Array("0123456789ABCDEF".utf8)
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + 16)
        for byte in bytes {
            if needsEscape(byte) {
                result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            } else {
                result.append(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        switch byte {
        case 0...32, 127...255, UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"),
            UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"):
            true
        default: false
        }
    }
}
