// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The body of a request to a service, with the type of the result.
public protocol RequestBody: Codable, Hashable, Sendable {
    associatedtype Result: Codable, Hashable, Sendable

    /// The value of the member `request` on the wire, such as `replay`.
    ///
    /// The value is a constant, which does not change if the Swift type is renamed.
    static var name: String { get }
}

/// The third frame of a request: `{"request": NAME, "deadlineMilliseconds": N, …}`, with the fields of the body in the
/// same object.
public struct Request<Body: RequestBody>: Hashable, Sendable {
    /// The time that the requester waits for the answer, counted from the first time it sends the request.
    public var deadlineMilliseconds: Int
    public var body: Body

    public init(_ body: Body, deadlineMilliseconds: Int) {
        self.deadlineMilliseconds = deadlineMilliseconds
        self.body = body
    }
}

extension Request: Codable {
    public init(from decoder: any Decoder) throws {
        let head = try RequestFields(from: decoder)
        guard head.request == Body.name else {
            throw WireError.unknownType(found: head.request, expected: Body.name)
        }
        deadlineMilliseconds = head.deadlineMilliseconds
        body = try Body(from: decoder)
    }

    public func encode(to encoder: any Encoder) throws {
        // Two containers of the same encoder write into the same object.
        try RequestFields(request: Body.name, deadlineMilliseconds: deadlineMilliseconds).encode(to: encoder)
        try body.encode(to: encoder)
    }
}

/// The fields that every request has: its name and its deadline.
///
/// A service decodes these fields first. The name determines the type of the body, which is decoded next.
public struct RequestFields: Codable, Hashable, Sendable {
    public var request: String
    public var deadlineMilliseconds: Int

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case request, deadlineMilliseconds
    }

    /// The names of the members with these fields.
    static var names: [String] { CodingKeys.allCases.map(\.stringValue) }
}
