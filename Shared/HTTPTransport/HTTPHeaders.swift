// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The header fields of an answer, in the order received and with repetitions; names are case-insensitive (RFC 9110
/// §5.1).
package struct HTTPHeaders: Sendable, Hashable, ExpressibleByArrayLiteral {
    package var fields: [HTTPHeader]

    package init(_ fields: [HTTPHeader] = []) {
        self.fields = fields
    }

    package init(arrayLiteral elements: HTTPHeader...) {
        self.fields = elements
    }

    /// Returns the first value of the field with this name; nil if there is none.
    package subscript(name: String) -> String? {
        let wanted = name.lowercased()
        return fields.first { $0.name.lowercased() == wanted }?.value
    }

    /// Returns all values of a field, in the order of their arrival.
    package func values(_ name: String) -> [String] {
        let wanted = name.lowercased()
        return fields.filter { $0.name.lowercased() == wanted }.map(\.value)
    }
}
