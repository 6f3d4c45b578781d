// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// Says why a message could not be written or read, and where in it.
public enum WireError: Error, Hashable, Sendable, CustomStringConvertible {
    case cannotEncode(String)
    /// `path` leads to the value, `data.displays.phone`.
    case malformed(path: String, problem: String)
    /// The event is of another type or major version than the topic promises; consumers count and drop it.
    case unknownType(found: String, expected: String)

    init(_ error: DecodingError) {
        switch error {
        case .typeMismatch(_, let context), .dataCorrupted(let context), .valueNotFound(_, let context):
            self = .malformed(path: Self.path(context.codingPath), problem: context.debugDescription)
        case .keyNotFound(let key, let context):
            self = .malformed(path: Self.path(context.codingPath + [key]), problem: "is missing")
        @unknown default:
            self = .malformed(path: "", problem: String(describing: error))
        }
    }

    private static func path(_ keys: [any CodingKey]) -> String {
        keys.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
    }

    public var description: String {
        switch self {
        case .cannotEncode(let problem): "cannot be written as JSON: \(problem)"
        case .malformed("", let problem): problem
        case .malformed(let path, let problem): "\(path): \(problem)"
        case .unknownType(let found, let expected): "is of type '\(found)', not '\(expected)'"
        }
    }
}
