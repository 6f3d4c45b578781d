// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

package import Foundation

/// A complete request, including its body.
package struct WebRequest: Sendable {
    package var method: String
    /// The decoded path, without the query.
    package var path: String
    /// The request's target as it was sent, not decoded, including the query.
    package var target: String
    /// The decoded names and values of the query, in the order received; a name without `=` has an empty value.
    package var query: [(name: String, value: String)]
    package var headers: [WebHeader]
    package var body: Data
    /// The numeric address of the peer; empty if the request did not arrive on a connection.
    package var client: String
    /// The version of HTTP: `HTTP/1.0` or `HTTP/1.1`.
    package var version: String

    package init(
        method: String,
        path: String,
        target: String? = nil,
        query: [(name: String, value: String)] = [],
        headers: [WebHeader] = [],
        body: Data = Data(),
        client: String = "",
        version: String = "HTTP/1.1"
    ) {
        self.method = method
        self.path = path
        self.target = target ?? path
        self.query = query
        self.headers = headers
        self.body = body
        self.client = client
        self.version = version
    }

    /// Returns the value of a header, or nil if there is no such header; the name is case-insensitive.
    ///
    /// If the header is repeated, the first value is returned.
    package func header(_ name: String) -> String? {
        headers.first { $0.isNamed(name) }?.value
    }

    /// Returns the value of each header with a name, which is case-insensitive.
    func values(of name: String) -> [String] { headers.filter { $0.isNamed(name) }.map(\.value) }

    /// A Boolean value that indicates whether a body follows the headers (RFC 9112, section 6).
    package var hasBody: Bool { header("Transfer-Encoding") != nil || (header("Content-Length") ?? "0") != "0" }

    /// Returns all values of a header, joined with commas as one list (RFC 9110 §5.3); nil if there is no such header.
    package func list(_ name: String) -> String? {
        let values = values(of: name)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }

    /// Returns the value of a query parameter; nil if the query does not contain it.
    ///
    /// If the parameter is repeated, the first value is returned.
    package func query(_ name: String) -> String? {
        query.first { $0.name == name }?.value
    }
}
