// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WidgetSchema

/// The validation of the URL, the file path and the HTTP request headers of a source in the configuration.
package enum RequestSyntax {
    /// The names of headers that a source cannot set.
    ///
    /// The fetcher sets these headers itself, or they would corrupt the HTTP message.
    static let reservedHeaders: Set<String> = [
        "accept-encoding", "connection", "content-length", "content-type", "expect", "host", "if-match",
        "if-modified-since", "if-none-match", "if-range", "if-unmodified-since", "keep-alive", "proxy-connection",
        "range", "te", "trailer", "transfer-encoding", "upgrade",
    ]

    /// Returns an error message if the URL of a source is invalid, and nil otherwise.
    package static func problem(url text: String) -> String? {
        guard text.utf8.count <= ConfigurationLimits.maximumURLBytes else {
            return "the URL has more than \(ConfigurationLimits.maximumURLBytes) bytes"
        }
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
            let parts = URLComponents(string: text, encodingInvalidCharacters: false), let scheme = parts.scheme
        else { return "'\(text)' is not a URL such as https://example.org/feed.xml" }
        guard ["http", "https"].contains(scheme.lowercased()) else {
            return "the URL must begin with http:// or https://, not with '\(scheme):'"
        }
        guard let host = parts.host, !host.isEmpty else { return "the URL '\(text)' has no host" }
        if let port = parts.port, !(1...65_535).contains(port) {
            return "the URL's port \(port) is not from 1 to 65535"
        }
        if parts.user != nil || parts.password != nil {
            return "the URL has a user or a password; give them as the header Authorization"
        }
        if parts.fragment != nil { return "the URL has a fragment (#…), which is never sent; leave it out" }
        return nil
    }

    /// Returns an error message if `path` is not a valid path relative to `fetching.fileDirectory`, and nil otherwise.
    static func problem(file path: String) -> String? {
        guard !path.isEmpty, path.utf8.count <= ConfigurationLimits.maximumURLBytes, !path.utf8.contains(0) else {
            return "the file's path is empty, or longer than \(ConfigurationLimits.maximumURLBytes) bytes"
        }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard !parts.contains(where: { $0.isEmpty || $0 == "." || $0 == ".." }) else {
            return "'\(path)' is not a valid path below fetching.fileDirectory; it must be relative, "
                + "without '.', '..' or empty parts"
        }
        return nil
    }

    /// Returns an error message if the name of a header is invalid or reserved, and nil otherwise.
    ///
    /// See RFC 9110, section 5.1, and ``reservedHeaders``.
    static func problem(headerName name: String) -> String? {
        let isToken = name.utf8.allSatisfy { $0.isLetter || $0.isDigit || "!#$%&'*+-.^_`|~".utf8.contains($0) }
        guard !name.isEmpty, isToken else { return "'\(name)' is not the name of a header" }
        guard reservedHeaders.contains(name.lowercased()) else { return nil }
        return "the header '\(name)' is reserved for the fetcher; remove it"
    }

    /// Returns an error message if the value of a header is invalid (RFC 9110, section 5.5), and nil otherwise.
    static func problem(headerValue value: String) -> String? {
        guard value.utf8.count <= ConfigurationLimits.maximumHeaderBytes else {
            return "the header's value has more than \(ConfigurationLimits.maximumHeaderBytes) bytes"
        }
        let isClean = value.utf8.allSatisfy { $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) }
        return isClean ? nil : "the header's value has a control character or a line end"
    }
}
