// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The cookie that contains the token of a browser that signed in.
///
/// Scripts cannot read it (`HttpOnly`), and other sites cannot make the browser send it (`SameSite=Strict`). The
/// gateway stores no sessions; revoking the token ends the session.
enum SessionCookie {
    static let name = "tidings-token"
    /// The lifetime in seconds: 30 days.
    static let lifetimeSeconds = 30 * 86_400

    /// Returns the token in the value of a `Cookie` header; nil if the header contains no token.
    static func token(in header: String?) -> String? {
        for pair in header?.split(separator: ";") ?? [] {
            let pair = pair.drop { $0 == " " }
            if pair.hasPrefix(name + "=") { return String(pair.dropFirst(name.count + 1)) }
        }
        return nil
    }

    /// Returns the value of `Set-Cookie`; an empty token removes the cookie.
    ///
    /// The browser sends the cookie only for addresses below `path`, the gateway's base path. If `isSecure` is true, it
    /// sends the cookie only over HTTPS.
    static func header(token: String, path: String, isSecure: Bool) -> String {
        let lifetime = token.isEmpty ? 0 : lifetimeSeconds
        return "\(name)=\(token); Path=\(path)/; Max-Age=\(lifetime); HttpOnly; SameSite=Strict"
            + (isSecure ? "; Secure" : "")
    }
}
