// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A header field that is sent or was received.
///
/// The value may be a secret. The descriptions of a header, and of values that contain headers, show only names.
package struct HTTPHeader: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }

    package var description: String { "\(name): …" }
    package var customMirror: Mirror { Mirror(self, children: ["name": name]) }

    /// A Boolean value that indicates whether the field can be sent without corrupting the message.
    package var isWellFormed: Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: ":") }
            && value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 }
    }
}
