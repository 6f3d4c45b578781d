// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import Foundation
public import WidgetSchema

/// A request as a service receives it.
public struct IncomingRequest: Sendable {
    /// The identity of a request in all of its repetitions; two requesters may choose the same id.
    public struct Key: Hashable, Sendable {
        let requester: Requester
        let id: RequestID
    }

    /// The request's id, which is the same in all retries.
    public let id: RequestID
    /// The request's JSON, which is the third frame of the message: `{"request": NAME, "deadlineMilliseconds": N, …}`.
    public let json: Data
    /// The time at which the request arrived in this process.
    public let receivedAt: ContinuousClock.Instant
    /// The frame that tells the bus which requester gets the answer; the service sends it back unchanged.
    package let route: Data
    /// The sender of the request: a registered instance, an unregistered client, or unknown.
    public var requester = Requester.unknown
    /// The bus that the request came from, as an index into the client's configured bus addresses.
    ///
    /// The answer must be sent to the same bus.
    package var bus = 0

    public var key: Key { Key(requester: requester, id: id) }

    /// Decodes only the fields that all requests have: the name of the request and the requester's timeout.
    public func head() throws(WireError) -> RequestFields {
        try WireJSON.decode(RequestFields.self, from: json)
    }

    /// Decodes the request with a body of the type `Body`.
    ///
    /// Throws a `WireError` if the JSON is invalid, or if the name in the request is not `Body.name`.
    public func decode<Body: RequestBody>(_ body: Body.Type) throws(WireError) -> Request<Body> {
        try WireJSON.decode(Request<Body>.self, from: json)
    }
}
