// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The cookie of a browser that signed in: the token itself.
///
/// Scripts cannot read it (`HttpOnly`) and other sites cannot send it (`SameSite=Strict`). A revoked token ends the
/// session with it, and the gateway keeps no sessions.
enum SessionCookie {
    static let name = "tidings-token"
    /// A month.
    static let lifetimeSeconds = 30 * 86_400

    /// The token in the value of a `Cookie` header; nil if it has none.
    static func token(in header: String?) -> String? {
        for pair in header?.split(separator: ";") ?? [] {
            let pair = pair.drop { $0 == " " }
            if pair.hasPrefix(name + "=") { return String(pair.dropFirst(name.count + 1)) }
        }
        return nil
    }

    /// The value of `Set-Cookie`.
    ///
    /// An empty token removes the cookie.
    static func header(token: String, path: String, isSecure: Bool) -> String {
        let lifetime = token.isEmpty ? 0 : lifetimeSeconds
        return "\(name)=\(token); Path=\(path)/; Max-Age=\(lifetime); HttpOnly; SameSite=Strict"
            + (isSecure ? "; Secure" : "")
    }
}
