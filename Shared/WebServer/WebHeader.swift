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
}
