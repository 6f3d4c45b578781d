// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The second frame of an answer: `{"result": …}` or `{"error": {"code", "message"}}`.
public enum Answer<Result: Codable & Hashable & Sendable>: Hashable, Sendable {
    case result(Result)
    case error(RequestError)

    public func get() throws(RequestError) -> Result {
        switch self {
        case .result(let result): return result
        case .error(let error): throw error
        }
    }
}

extension Answer: Codable {
    private enum CodingKeys: String, CodingKey {
        case result
        case error
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if let error = try container.decodeIfPresent(RequestError.self, forKey: .error) {
            self = .error(error)
        } else {
            self = .result(try container.decode(Result.self, forKey: .result))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .result(let result): try container.encode(result, forKey: .result)
        case .error(let error): try container.encode(error, forKey: .error)
        }
    }
}

/// The error with which a request fails.
public struct RequestError: Error, Codable, Hashable, Sendable, CustomStringConvertible {
    public enum Code: String, Codable, CaseIterable, Sendable {
        /// No live instance of the service is registered; the bus answers this at once.
        case unavailable
        /// The request could not be parsed, or it contains an invalid value.
        case malformed
        /// The service does not know a request with this name.
        case unknownRequest
        /// The widget, display or cycle does not exist.
        case notFound
        /// The request is well-formed, but a rule of the service forbids it; the message names the rule.
        ///
        /// For example, a push contains content of another kind than the widget's, or a picture would be too large.
        case refused
        /// The client has already pushed to this widget with the same counter, but with another
        /// ``PushRequest/bodyDigest``.
        case reused
        /// The deadline passed without an answer; the requester itself makes this error.
        case timedOut
        /// The service cannot execute the request at present; a retry may succeed.
        case failed
    }

    public var code: Code
    /// One sentence for a person: the problem and the remedy.
    public var message: String

    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { message }
}

/// The empty result of a request.
public struct Done: Codable, Hashable, Sendable {
    public init() {}
}
