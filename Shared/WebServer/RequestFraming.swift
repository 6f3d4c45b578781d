// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The check that a request's headers leave no doubt where its body ends.
///
/// A proxy in front of the server could otherwise take another part of a connection for the next request (RFC 9112,
/// sections 6.1, 6.3 and 11.2).
enum RequestFraming {
    /// The maximum number of parameters in the query of a request; no route has more than a few.
    static let maximumParameters = 100

    /// Returns the reason if the request is refused, after which the connection closes; nil if it is valid.
    static func refusal(of head: WebRequest) -> WebRefusal? {
        let lengths = head.values(of: "Content-Length")
        let codings = head.values(of: "Transfer-Encoding")
        if !head.target.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) {
            return .malformed("The target of the request contains a space or a control character.")
        }
        if head.query.count > maximumParameters { return .tooManyParameters }
        if head.values(of: "Host").count > 1 { return .malformed("The request has more than one Host.") }
        if lengths.count > 1 || lengths.contains(where: { !isNumber($0) }) {
            return .malformed("The request needs at most one Content-Length, a decimal number.")
        }
        guard !codings.isEmpty else { return nil }
        if !lengths.isEmpty || head.version == "HTTP/1.0" {
            return .malformed("A request with Transfer-Encoding has no Content-Length, and is of HTTP/1.1.")
        }
        return codings.count == 1 && codings[0].lowercased() == "chunked" ? nil : .unsupportedCoding
    }

    private static func isNumber(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 19
            && text.utf8.allSatisfy(\.isDigit)
    }
}
