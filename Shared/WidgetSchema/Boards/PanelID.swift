// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The id that a panel sends in each request, usually the MAC address of its radio: `AA:BB:CC:DD:EE:FF`.
///
/// Anyone on the network can see it, so it is no secret.
public struct PanelID: ValidatedString {
    public static let rule =
        "a panel's id has 1 to 64 characters from A-Z, a-z, 0-9, ':', '.', '_' and '-', and starts with a letter or a digit"
    private static let maximumCharacters = 64
    /// The number of bytes in a MAC address.
    private static let addressBytes = 6

    /// The text; a MAC address has upper-case digits with `:` between its bytes.
    public let rawValue: String

    public init?(rawValue: String) {
        let bytes = rawValue.utf8
        guard let first = bytes.first, first.isLetter || first.isDigit, bytes.count <= Self.maximumCharacters,
            bytes.allSatisfy({ $0.isLetter || $0.isDigit || ":._-".utf8.contains($0) })
        else { return nil }
        self.rawValue = Self.address(rawValue) ?? rawValue
    }

    /// Returns the usual form of a MAC address; nil if the text is none.
    private static func address(_ text: String) -> String? {
        let parts = text.split(omittingEmptySubsequences: false) { $0 == ":" || $0 == "-" }
        guard parts.count == addressBytes,
            parts.allSatisfy({ $0.utf8.count == 2 && $0.allSatisfy(\.isHexDigit) })
        else { return nil }
        return parts.joined(separator: ":").uppercased()
    }
}

/// The name of one panel of the configuration: `[a-z0-9][a-z0-9-]{0,62}`.
public struct PanelName: ValidatedString {
    public static let rule = "a panel's name has 1 to 63 characters from a-z, 0-9 and '-', and does not start with '-'"

    public let rawValue: String

    public init?(rawValue: String) {
        guard isPlainIdentifier(rawValue) else { return nil }
        self.rawValue = rawValue
    }
}
