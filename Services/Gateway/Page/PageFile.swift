// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Digests
import Foundation
import WebServer

/// A file of the pages, kept in memory with its headers.
struct PageFile: Sendable {
    /// The path below the folder, `fonts/inter-regular.2396abef4095.woff2`.
    let name: String
    let contentType: String
    let bytes: SharedBytes
    /// A strong validator: the digest of the bytes.
    let entityTag: String
    /// A Boolean value that indicates whether the name has the digest of the bytes, so that they never change.
    let isImmutable: Bool

    /// The number of digits of the digest in a name or a tag.
    static let digestDigits = 12

    /// Returns nil if the file's kind is not one that the pages use.
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
