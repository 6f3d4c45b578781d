// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// One header field of a request or an answer.
package struct WebHeader: Sendable, Hashable {
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }

    /// Returns whether the header has a name, which is case-insensitive.
    func isNamed(_ name: String) -> Bool {
        // Most names differ in their lengths, which are compared without a copy.
        self.name.utf8.count == name.utf8.count && self.name.lowercased() == name.lowercased()
    }
}
