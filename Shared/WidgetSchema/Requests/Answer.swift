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

/// Says why a request has no result.
public struct RequestError: Error, Codable, Hashable, Sendable, CustomStringConvertible {
    public enum Code: String, Codable, CaseIterable, Sendable {
        /// No live instance of the service is registered; the bus says so at once.
        case unavailable
        /// The request could not be understood.
        case malformed
        /// The service knows no such request.
        case unknownRequest
        /// No such widget, display, cycle.
        case notFound
        /// Understood, and against a rule.
        case refused
        /// The same client and counter came before, with something else in it.
        case reused
        /// The deadline passed without an answer; only the asker says so.
        case timedOut
        /// The service could not do it now; asking again may help.
        case failed
    }

    public var code: Code
    /// One sentence for a person: what is wrong, and what to do.
    public var message: String

    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { message }

    /// A Boolean value that indicates whether the same request may be answered later.
    public var isRetriable: Bool { code == .unavailable || code == .failed || code == .timedOut }
}

/// The result of a request that has nothing to say beyond "done".
public struct Done: Codable, Hashable, Sendable {
    public init() {}
}
