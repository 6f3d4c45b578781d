// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Digests
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
        bytes = SharedBytes(data)
        let digest = String(SHA256.hexDigest(of: data).prefix(Self.digestDigits))
        entityTag = "\"\(digest)\""
        isImmutable = name[..<dot].hasSuffix(".\(digest)")
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
