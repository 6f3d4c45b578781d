// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import AccessTokens
import ServiceRuntime
import WebServer
import WidgetSchema

/// The sessions of browsers.
extension Access {
    /// Returns the session of a request with the record of its token; nil if no cookie of the request is valid.
    ///
    /// The record is looked up for each request, so a session ends with its token.
    func session(
        of request: WebRequest,
        now: Instant = .now
    ) -> (cookie: SessionCookie, record: TokenRecord)? {
        guard let cookies = request.list("Cookie") else { return nil }
        let records = tokenRecords
        let values = SessionCookie.values(of: place(of: request).name, in: cookies)
        // A server at another port can set cookies of any number, so all are tried. Only those with the id of a token need a
        // signature.
        for value in values {
            guard let cookie = SessionCookie(value), cookie.isValid(at: now),
                let record = records.first(where: cookie.isSigned)
            else { continue }
            return (cookie, record)
        }
        return nil
    }

    /// Returns the headers that set the session cookie of a token; without a token, they remove the cookie.
    func signIn(_ record: TokenRecord?, _ request: WebRequest, now: Instant = .now) -> [WebHeader] {
        let cookie = record.map { SessionCookie($0, signedIn: now, issued: now) }
        return [place(of: request).header(cookie, now: now)] + removalOfFormerCookie(request)
    }

    /// Returns the headers that renew the session cookie of a request; empty if that is not due.
    func renewal(for request: WebRequest, now: Instant = .now) -> [WebHeader] {
        let session = session(of: request, now: now)
        let renewed = session.flatMap { $0.cookie.renewed($0.record, now: now) }
        return (renewed.map { [place(of: request).header($0, now: now)] } ?? []) + removalOfFormerCookie(request)
    }

    private func place(of request: WebRequest) -> SessionCookie.Place {
        SessionCookie.Place(host: host(of: request), basePath: basePath, isSecure: isSecure(request))
    }

    /// Returns the header that removes the cookie of earlier versions, which contains a token; empty if there is none.
    private func removalOfFormerCookie(_ request: WebRequest) -> [WebHeader] {
        let name = SessionCookie.formerName
        let values = SessionCookie.values(of: name, in: request.list("Cookie") ?? "")
        return values.isEmpty ? [] : [place(of: request).removal(of: name)]
    }
}
