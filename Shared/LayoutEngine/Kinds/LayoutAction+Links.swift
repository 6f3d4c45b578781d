// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WidgetSchema

extension LayoutAction {
    /// The maximum length of a link in bytes; longer links are ignored.
    static let maximumLinkBytes = 2048

    /// Returns the action that opens a web page; nil if the link is not an http or https address.
    static func opening(webLink link: String) -> LayoutAction? {
        if isPlain(webLink: link) { return .open(url: link) }
        guard link.utf8.count <= maximumLinkBytes, LinkSchemes.isOfTheWeb(link), let url = URL(string: link),
            url.host()?.isEmpty == false
        else { return nil }
        return .open(url: link)
    }

    /// Returns the action that opens a web page or an app; nil if the link is not valid or its scheme is not allowed.
    static func opening(link: String) -> LayoutAction? {
        if LinkSchemes.isOfTheWeb(link) { return opening(webLink: link) }
        guard link.utf8.count <= maximumLinkBytes, LinkSchemes.isOfTheWebOrAnApp(link),
            isPlain(appLink: link) || URL(string: link) != nil
        else { return nil }
        return .open(url: link)
    }

    // Most links are plain, and are checked below. Foundation parses the others, but slowly: it takes longer than the
    // layout of a row.

    /// Returns whether a link consists of `https://`, a host name, and only characters that a URL may contain.
    private static func isPlain(webLink link: String) -> Bool {
        link.withBytes { bytes in
            let scheme = "https://"
            guard bytes.count > scheme.utf8.count, bytes.count <= maximumLinkBytes,
                scheme.withBytes({ $0.isPrefix(of: bytes) }), isPartOfName(bytes[scheme.utf8.count])
            else { return false }
            let path = bytes[scheme.utf8.count...].drop { isPartOfName($0) }
            return path.first.map { $0 == UInt8(ascii: "/") } ?? true && path.allSatisfy { isPartOfPath($0) }
        }
    }

    /// Returns whether a link consists of a scheme, `://`, and only characters that a URL may contain.
    private static func isPlain(appLink link: String) -> Bool {
        link.withBytes { bytes in
            let separator = "://".utf8
            let scheme = bytes.prefix { isPartOfName($0) }
            let rest = bytes[scheme.count...]
            guard !scheme.isEmpty, rest.starts(with: separator) else { return false }
            let name = rest.dropFirst(separator.count).prefix { isPartOfName($0) }
            let path = rest[(scheme.count + separator.count + name.count)...]
            return path.first.map { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? true
                && path.allSatisfy { isPartOfPath($0) }
        }
    }

    private static func isPartOfName(_ byte: UInt8) -> Bool {
        byte.isLetter || byte.isDigit || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    }

    private static func isPartOfPath(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "&"), UInt8(ascii: "="), UInt8(ascii: "_"),
            UInt8(ascii: "~"), UInt8(ascii: "+"), UInt8(ascii: ","), UInt8(ascii: ";"):
            true
        default: isPartOfName(byte)
        }
    }
}
