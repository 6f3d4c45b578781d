// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// One header field as it is sent or was received.
///
/// Its value may be a secret: whoever prints a header, or what has one in it, sees its name only.
package struct HTTPHeader: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }

    package init(name: String, value: String) {
        self.init(name, value)
    }

    package var description: String { "\(name): …" }
    package var customMirror: Mirror { Mirror(self, children: ["name": name]) }

    /// A Boolean value that indicates whether the name and the value can be sent without changing the message around
    /// them.
    package var isWellFormed: Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: ":") }
            && value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 }
    }
}
