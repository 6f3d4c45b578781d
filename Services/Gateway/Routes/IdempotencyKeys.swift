// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Cryptography
import Foundation
import WidgetSchema

/// The idempotency keys of writes.
///
/// The cache stores the keys. It makes only one cycle for a key, even if the request is repeated or sent through
/// another gateway. A request with the same key but another body is rejected.
enum IdempotencyKeys {
    /// The maximum length of a key, in bytes.
    static let maximumKeyBytes = 255

    /// Returns the client name for a write with an idempotency key: a hash of the token's id, the widget and the key.
    ///
    /// The cache stores this name and recognises a repeated write by it. `token` is empty if the request has no token.
    static func client(token: String, widget: String, key: String) -> String {
        "key-" + SHA256.hexDigest(of: "\(token)\n\(widget)\n\(key)").prefix(40)
    }

    /// The regular expression of the header's valid values, for the OpenAPI description.
    static let pattern =
        "^(\"[ !#-~]{1,\(maximumKeyBytes)}\"|[!#-~]([ !#-~]{0,\(maximumKeyBytes - 2)}[!#-~])?)$"

    /// Returns the idempotency key in a header.
    ///
    /// Returns nil if the key is empty, too long, or contains characters other than printable ASCII. The key may be a
    /// quoted string (draft-ietf-httpapi-idempotency-key-header) or plain text.
    static func key(_ header: String) -> String? {
        var text = header.trimmingCharacters(in: CharacterSet(charactersIn: " \t"))
        if text.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") { text = String(text.dropFirst().dropLast()) }
        let isPlain = text.utf8.allSatisfy { (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "\"") }
        return (1...maximumKeyBytes).contains(text.utf8.count) && isPlain ? text : nil
    }

    /// Returns a digest of a request's body and of its query parameter `hasContent`.
    ///
    /// `hasContent` is nil if the request does not have this parameter. The result is never nil: it is optional only
    /// because of the initializer of `ContentDigest`. If a key is used again with a different digest, the cache rejects
    /// the request.
    static func digest(_ body: Data, hasContent: Bool?) -> ContentDigest? {
        ContentDigest(rawValue: SHA256.hexDigest(of: Data("\(hasContent.map(String.init) ?? "-")\n".utf8) + body))
    }
}
