// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Cryptography
import Foundation
import WebServer

/// A file of the web pages, stored in memory with its response headers.
struct PageFile: Sendable {
    /// The path relative to the folder with all files of the pages, such as `fonts/inter-regular.2396abef4095.woff2`.
    let name: String
    let contentType: String
    let bytes: SharedBytes
    /// The value of the `ETag` header: a digest of the bytes.
    let entityTag: String
    /// A Boolean value that indicates whether `name` contains the digest of the bytes.
    ///
    /// If so, clients may cache the file forever, because another content would have another name.
    let isImmutable: Bool

    /// The number of hexadecimal digits of the digest in `name` and in `entityTag`.
    static let digestDigits = 12

    /// Creates a file; nil if the extension of `name` has no known media type.
    init?(name: String, data: Data) {
        guard let dot = name.lastIndex(of: "."),
            let contentType = Self.contentTypes[String(name[name.index(after: dot)...])]
        else { return nil }
        self.name = name
        self.contentType = contentType
        let data = name.hasSuffix(".js") || name.hasSuffix(".css") ? Self.withoutComments(data) : data
        bytes = SharedBytes(data)
        let digest = String(SHA256.hexDigest(of: data).prefix(Self.digestDigits))
        entityTag = "\"\(digest)\""
        isImmutable = name[..<dot].hasSuffix(".\(digest)")
    }

    /// Returns a script or a style sheet without the indentation and the comments that have lines of their own.
    ///
    /// The lines keep their numbers, and the copyright stays. A file that contains a text of several lines is returned
    /// as it is.
    private static func withoutComments(_ data: Data) -> Data {
        var isComment = false
        var lines: [Substring] = []
        for line in String(decoding: data, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false) {
            let text = line.drop { $0 == " " }
            guard text.count(where: { $0 == "`" }).isMultiple(of: 2) else { return data }
            isComment = isComment || text.hasPrefix("/*")
            let isKept = !isComment && !text.hasPrefix("//") || text.contains("SPDX-") || text.contains("Copyright")
            if isComment, text.hasSuffix("*/") { isComment = false }
            lines.append(isKept ? text : "")
        }
        return Data(lines.joined(separator: "\n").utf8)
    }

    private static let contentTypes = [
        "html": "text/html; charset=utf-8",
        "css": "text/css; charset=utf-8",
        "js": "text/javascript; charset=utf-8",
        "svg": "image/svg+xml",
        "webmanifest": "application/manifest+json",
        "woff2": "font/woff2",
    ]
}
