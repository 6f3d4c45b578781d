// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A type whose values are strings in JSON, each with the value's description.
public protocol CodableAsText: Codable, CustomStringConvertible {
    /// The end of an error message about an invalid text, which begins with the text: `is not …`.
    static var refusal: String { get }

    init?(_ text: String)
}

extension CodableAsText {
    public init(from decoder: any Decoder) throws { try self.init(textFrom: decoder) }

    public func encode(to encoder: any Encoder) throws { try encodeText(to: encoder) }

    init(textFrom decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let value = Self(text) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "'\(text)' \(Self.refusal)")
            )
        }
        self = value
    }

    func encodeText(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
