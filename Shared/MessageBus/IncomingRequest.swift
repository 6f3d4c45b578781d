// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import Foundation
public import WidgetSchema

/// A request as a service gets it.
public struct IncomingRequest: Sendable {
    /// The same over all retries of the asker.
    public let id: RequestID
    /// The third frame, `{"request": NAME, "deadlineMilliseconds": N, …}`.
    public let json: Data
    /// When it arrived here.
    public let receivedAt: ContinuousClock.Instant
    /// The requester's registration at the bus.
    public let requester: Requester
    /// The requester, in the bus's own terms.
    let route: Data

    package init(
        id: RequestID,
        json: Data,
        receivedAt: ContinuousClock.Instant,
        route: Data,
        requester: Requester = .unknown
    ) {
        self.id = id
        self.json = json
        self.receivedAt = receivedAt
        self.route = route
        self.requester = requester
    }

    /// Which request it is, and how long the asker waits.
    public func head() throws(WireError) -> RequestHead {
        try WireJSON.decode(RequestHead.self, from: json)
    }

    /// The request, where the head names `Body`.
    public func decode<Body: RequestBody>(_ body: Body.Type) throws(WireError) -> Request<Body> {
        try WireJSON.decode(Request<Body>.self, from: json)
    }
}
