// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import Cryptography
internal import Foundation

/// A token as it is stored, without its secret.
package struct TokenRecord: Codable, Sendable, Hashable {
    /// The id of the token in lists, in logs and in the command `revoke`: the first 8 digits of the hash.
    package var id: String
    /// The name of the person or device that uses the token.
    package var name: String
    package var hash: String
    package var scopes: [AccessScope]
    /// The paths to which the token is restricted; nil if the token is not restricted.
    ///
    /// A restricted token may read these paths and all paths below them. URLs are logged and shared, so the gateway
    /// accepts only a restricted token in a URL.
    package var paths: [String]?
    /// The time of creation (RFC 3339).
    package var created: String

    package init(
        token: AccessToken,
        name: String,
        scopes: [AccessScope],
        paths: [String]? = nil,
        created: String
    ) {
        hash = token.hash
        id = String(hash.prefix(Self.idDigits))
        self.name = name
        self.scopes = scopes
        self.paths = paths
        self.created = created
    }

    private static let idDigits = 8

    /// Returns whether the token may make a request that needs `scope` on `path`.
    ///
    /// If ``paths`` is nil, the token may use all its scopes on every path. A token with at least one scope may also
    /// read every path, even if it does not have the scope `read`.
    ///
    /// If ``paths`` is not nil, the token may only read, and only if it has the scope `read`. It may read each path in
    /// ``paths`` and all paths below such a path. If the list contains `/widgets/blog/phone`, it may also read this
    /// path with a file extension, such as `/widgets/blog/phone.png`.
    package func allows(_ scope: AccessScope, path: String) -> Bool {
        guard scope == .read ? allowsReading : scopes.contains(scope) else { return false }
        guard let paths else { return true }
        return scope == .read && paths.contains { path == $0 || path.hasPrefix($0.hasSuffix("/") ? $0 : $0 + "/") }
            || scope == .read && paths.contains { isPicture(path, of: $0) }
    }

    private var allowsReading: Bool { scopes.contains(.read) || (paths == nil && !scopes.isEmpty) }

    /// The same token without any permission other than reading.
    package var readOnly: TokenRecord {
        var result = self
        result.scopes = allowsReading ? [.read] : []
        return result
    }

    /// Returns the signature of a text with a key that nobody knows who knows neither the token nor its hash.
    ///
    /// The signature is the HMAC-SHA256 of the text as 64 hexadecimal digits, with the stored hash as the key. All gateways
    /// with the same token file therefore agree about it, and it ends with the token.
    package func signature(of text: String) -> String { HMAC.hexDigest(of: text, key: Array(hash.utf8)) }

    /// Returns whether `path` is the path `allowed` with a file extension.
    ///
    /// For example, `/widgets/blog/phone.png` is a picture that belongs to `/widgets/blog/phone`.
    private func isPicture(_ path: String, of allowed: String) -> Bool {
        path.hasPrefix(allowed + ".") && !path.dropFirst(allowed.count).contains("/")
    }
}
