// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The name of one running process of a service: 1 to 128 characters from `A-Z a-z 0-9 . _ -`.
public struct InstanceName: ValidatedString {
    public static let rule = "an instance name has 1 to 128 characters from A-Z, a-z, 0-9, '.', '_' and '-'"

    public let rawValue: String

    public init?(rawValue: String) {
        let isPlain = rawValue.utf8.allSatisfy { $0.isLetter || $0.isDigit || "._-".utf8.contains($0) }
        guard isPlain, (1...128).contains(rawValue.utf8.count) else { return nil }
        self.rawValue = rawValue
    }
}
