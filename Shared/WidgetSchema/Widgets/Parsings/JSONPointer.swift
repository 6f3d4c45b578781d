// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A reference to one value in a JSON document (RFC 6901): `/items/0/title`, or empty for the whole document.
public struct JSONPointer: Hashable, Sendable, CustomStringConvertible {
    public static let maximumTokens = 32
    public static let maximumBytes = 1_024

    /// The parts of the pointer, outermost first and without escapes: names of object members and indices of array
    /// elements.
    public let tokens: [String]

    public init(tokens: [String]) { self.tokens = tokens }

    /// The pointer to the whole document.
    public static let root = JSONPointer(tokens: [])

    /// Parses a pointer.
    ///
    /// Throws an error with a description of the problem if the text is not a JSON Pointer, has more than
    /// ``maximumBytes`` bytes in UTF-8, or has more than ``maximumTokens`` parts.
    public init(_ text: some StringProtocol) throws(ParsingOptionError) {
        guard text.utf8.count <= Self.maximumBytes else {
            throw ParsingOptionError("the JSON Pointer has more than \(Self.maximumBytes) bytes")
        }
        guard !text.isEmpty else {
            tokens = []
            return
        }
        guard text.first == "/" else {
            throw ParsingOptionError(
                "'\(text)' is not a JSON Pointer: it does not begin with '/'; did you mean '/\(text)'?"
            )
        }
        var tokens: [String] = []
        for part in text.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            guard let token = Self.unescaped(part) else {
                throw ParsingOptionError(
                    "'\(text)' is not a JSON Pointer; write '~' as '~0', and '/' within a name as '~1'"
                )
            }
            tokens.append(token)
        }
        guard tokens.count <= Self.maximumTokens else {
            throw ParsingOptionError("the JSON Pointer has more than \(Self.maximumTokens) parts")
        }
        self.tokens = tokens
    }

    public var description: String {
        tokens.map { "/" + $0.replacing("~", with: "~0").replacing("/", with: "~1") }.joined()
    }

    private static func unescaped(_ part: some StringProtocol) -> String? {
        var token = ""
        var rest = part[...]
        while let tilde = rest.firstIndex(of: "~") {
            token += rest[..<tilde]
            switch rest[rest.index(after: tilde)...].first {
            case "0": token += "~"
            case "1": token += "/"
            default: return nil
            }
            rest = rest[rest.index(tilde, offsetBy: 2)...]
        }
        return token + rest
    }
}
