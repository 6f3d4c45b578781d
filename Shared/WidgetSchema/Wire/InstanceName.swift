// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The name of one running process of a service: 1 to 128 characters from `A-Z a-z 0-9 . _ -`.
public struct InstanceName: ValidatedString {
    public static let rule = "an instance name has 1 to 128 characters from A-Z, a-z, 0-9, '.', '_' and '-'"

    public let rawValue: String

    public init?(rawValue: String) {
        guard (1...128).contains(rawValue.utf8.count), rawValue.utf8.allSatisfy(Self.isAllowed) else { return nil }
        self.rawValue = rawValue
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
