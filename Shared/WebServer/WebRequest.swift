// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

package import Foundation

/// A request as a handler gets it, complete with its body.
package struct WebRequest: Sendable {
    package var method: String
    /// Decoded, without the query.
    package var path: String
    /// Names and values of the query, decoded and in order; a name without `=` has an empty value.
    package var query: [(name: String, value: String)]
    package var headers: [WebHeader]
    package var body: Data

    package init(
        method: String,
        path: String,
        query: [(name: String, value: String)] = [],
        headers: [WebHeader] = [],
        body: Data = Data()
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
    }

    /// The first value of a header, looked up without regard to case.
    package func header(_ name: String) -> String? {
        let wanted = name.lowercased()
        return headers.first { $0.name.lowercased() == wanted }?.value
    }

    /// The first value of a name in the query.
    package func query(_ name: String) -> String? {
        query.first { $0.name == name }?.value
    }
}
