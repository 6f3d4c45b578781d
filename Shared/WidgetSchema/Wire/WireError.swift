// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// An error in encoding or decoding a message.
public enum WireError: Error, Hashable, Sendable, CustomStringConvertible {
    case cannotEncode(String)
    /// A message is malformed.
    ///
    /// `path` is the place of the invalid value, such as `data.displays.phone`. If `path` is empty, the problem
    /// concerns the whole message.
    case malformed(path: String, problem: String)
    /// An event or a request has the type `found` instead of the type `expected`.
    ///
    /// The type of an event includes its major version; the type of a request is its name. If an event has another
    /// version of CloudEvents, `found` and `expected` are the versions instead, such as `CloudEvents 1.0`. Consumers
    /// count and drop such events.
    case unknownType(found: String, expected: String)

    init(_ error: DecodingError) {
        switch error {
        case .typeMismatch(let type, let context):
            self = .malformed(path: Self.path(context.codingPath), problem: "the value must be \(Self.name(of: type))")
        case .valueNotFound(let type, let context):
            self = .malformed(
                path: Self.path(context.codingPath),
                problem: "the value is null; \(Self.name(of: type)) was expected"
            )
        case .dataCorrupted(let context):
            self = .malformed(path: Self.path(context.codingPath), problem: Self.problem(context))
        case .keyNotFound(let key, let context):
            self = .malformed(path: Self.path(context.codingPath + [key]), problem: "is missing")
        @unknown default:
            self = .malformed(path: "", problem: "the message cannot be decoded")
        }
    }

    /// Returns the error for an object with an unknown member; `owner` is a noun phrase, such as "a command".
    package static func unknownMember(_ path: String, of owner: String, known: [String]) -> WireError {
        .malformed(path: path, problem: "is not a member of \(owner); its members are \(known.joined(separator: ", "))")
    }

    /// Returns a description of the JSON value that a Swift type requires, such as "a whole number".
    private static func name(of type: Any.Type) -> String {
        switch type {
        case is String.Type: "a string"
        case is any BinaryInteger.Type: "a whole number"
        case is any BinaryFloatingPoint.Type: "a number"
        case is Bool.Type: "true or false"
        default: String(describing: type).hasPrefix("Dictionary") ? "an object" : "another type of value"
        }
    }

    /// Returns a description of the problem without names of Swift types.
    ///
    /// Errors of the standard library contain such names. Texts of this project's own errors are returned unchanged.
    private static func problem(_ context: DecodingError.Context) -> String {
        let text = context.debugDescription
        if let match = text.wholeMatch(of: /Cannot initialize \w+ from invalid \w+ value (.*)/) {
            return "'\(match.1)' is none of the known values"
        }
        return text
    }

    private static func path(_ keys: [any CodingKey]) -> String {
        keys.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
    }

    public var description: String {
        switch self {
        case .cannotEncode(let problem): "the message cannot be written as JSON: \(problem)"
        case .malformed("", let problem): problem
        case .malformed(let path, let problem): "\(path): \(problem)"
        case .unknownType(let found, let expected): "the type is '\(found)', not '\(expected)'"
        }
    }
}
