// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import AccessTokens
import Cryptography
import WebServer
import WidgetSchema

/// The session of a browser that signed in, which its cookie contains: the id of the token, two times and a signature.
///
/// Cookies ignore ports (RFC 6265, section 8.5), so servers at other ports of the same host name receive the cookie,
/// too. It therefore allows reading only, and does not contain the token. The gateway stores no sessions.
struct SessionCookie: Hashable, Sendable {
    static let name = "tidings-session"
    static let nameRule =
        "The name is followed by '-PORT' if the address has a port, and begins with '__Host-' over HTTPS without a base "
        + "path."
    /// The name of the cookie of earlier versions, which contained the token.
    static let formerName = "tidings-token"
    /// The time after which a session ends unless it was renewed.
    static let idleTimeout: Duration = .seconds(12 * 3_600)
    /// The time from signing in after which a session ends even if it was renewed.
    static let lifetime: Duration = .seconds(30 * 86_400)
    /// The age from which a cookie is renewed.
    static let renewalAge: Duration = .seconds(3_600)
    /// The maximum time by which the clock of the gateway that issued a cookie may be ahead.
    ///
    /// A cookie from later than that was issued by a wrong clock, and would be valid for too long.
    static let clockTolerance: Duration = .seconds(300)

    private static let version = "1"

    /// The id of the token.
    let token: String
    /// The time at which the user signed in.
    let signedIn: Instant
    /// The time at which this cookie was issued.
    let issued: Instant
    private let signature: String

    /// Creates the cookie of a user who signed in with a token.
    init(_ record: TokenRecord, signedIn: Instant, issued: Instant) {
        token = record.id
        self.signedIn = signedIn
        self.issued = issued
        signature = Self.signature(record, Self.content(token, signedIn, issued))
    }

    /// Creates the cookie that a text contains, whose signature may be wrong; nil if the text has another form.
    init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 5, let signedIn = Int64(parts[2]), let issued = Int64(parts[3]) else { return nil }
        token = String(parts[1])
        self.signedIn = Instant(milliseconds: signedIn)
        self.issued = Instant(milliseconds: issued)
        signature = String(parts[4])
        // A time with a sign or leading zeros is another text for the same session.
        guard self.text == text else { return nil }
    }

    /// The value of the cookie.
    var text: String { "\(content).\(signature)" }

    private var content: String { Self.content(token, signedIn, issued) }

    private static func content(_ token: String, _ signedIn: Instant, _ issued: Instant) -> String {
        "\(version).\(token).\(signedIn.milliseconds).\(issued.milliseconds)"
    }

    /// Returns the signature; the name keeps it apart from signatures for other purposes.
    private static func signature(_ record: TokenRecord, _ content: String) -> String {
        record.signature(of: "\(name) \(content)")
    }

    /// Returns whether the cookie was issued for a token, and was not changed.
    func isSigned(with record: TokenRecord) -> Bool {
        record.id == token && SHA256.areEqual(signature, Self.signature(record, content))
    }

    // MARK: Time

    /// The time at which the session ends unless it is renewed.
    var expiry: Instant { min(issued.advanced(by: Self.idleTimeout), signedIn.advanced(by: Self.lifetime)) }

    /// Returns whether the cookie is valid at a time, if its signature is.
    func isValid(at now: Instant) -> Bool {
        signedIn <= issued && issued <= now.advanced(by: Self.clockTolerance) && now < expiry
    }

    /// Returns the cookie that replaces this one; nil if this one is younger than ``renewalAge``.
    func renewed(_ record: TokenRecord, now: Instant) -> SessionCookie? {
        guard now >= issued.advanced(by: Self.renewalAge) else { return nil }
        return SessionCookie(record, signedIn: signedIn, issued: now)
    }

    // MARK: Headers

    /// The name and the attributes of the cookie for one address of the gateway.
    struct Place: Hashable, Sendable {
        /// The host and port that the browser uses, in the form of a `Host` header.
        var host: String
        /// The base path of the gateway; the browser sends the cookie only for addresses below it.
        var basePath: String
        /// A Boolean value that indicates whether the browser uses HTTPS; it then sends the cookie over HTTPS only.
        var isSecure: Bool

        /// The name of the cookie, as ``SessionCookie/nameRule`` says.
        ///
        /// The port keeps gateways at two ports of a host name from replacing each other's cookies. With the prefix,
        /// browsers take the cookie only from this host, over HTTPS.
        var name: String {
            let prefix = isSecure && basePath.isEmpty ? "__Host-" : ""
            let port = host.lastIndex(of: ":").map { host[host.index(after: $0)...] } ?? ""
            let isPort = (1...5).contains(port.utf8.count) && port.utf8.allSatisfy { (0x30...0x39).contains($0) }
            return prefix + SessionCookie.name + (isPort ? "-\(port)" : "")
        }

        /// Returns the header that sets a cookie; without a cookie, it removes the one that the browser has.
        func header(_ cookie: SessionCookie?, now: Instant) -> WebHeader {
            guard let cookie else { return removal(of: name) }
            return header(name, cookie.text, seconds: max(0, cookie.expiry.milliseconds(since: now) / 1_000))
        }

        /// Returns the header that removes a cookie.
        func removal(of name: String) -> WebHeader { header(name, "", seconds: 0) }

        private func header(_ name: String, _ value: String, seconds: Int64) -> WebHeader {
            WebHeader(
                "Set-Cookie",
                "\(name)=\(value); Path=\(basePath)/; Max-Age=\(seconds); HttpOnly; SameSite=Strict"
                    + (isSecure ? "; Secure" : "")
            )
        }
    }

    /// Returns the values of the cookies with a name in a `Cookie` header.
    static func values(of name: String, in header: String) -> [Substring] {
        header.split(separator: ";").compactMap { pair in
            let pair = pair.drop { $0 == " " }
            return pair.hasPrefix(name + "=") ? pair.dropFirst(name.count + 1) : nil
        }
    }
}
