// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import Foundation
public import WidgetSchema

/// The sender of a request; the bus knows it from the connection on which the request arrived.
public enum Requester: Hashable, Sendable {
    /// The sender is unknown, because a bus of an earlier version does not report the senders of requests.
    case unknown
    /// The sender is not registered as an instance of a service.
    case unregistered
    /// The sender is registered as this instance of a service.
    case instance(RequestTarget)

    /// Returns a Boolean value that indicates whether the requester may be an instance of `service`.
    ///
    /// The result is true for `unknown`: a bus of an earlier version does not report the sender, so the sender may be
    /// such an instance.
    public func mayBe(_ service: ServiceName) -> Bool {
        switch self {
        case .unknown: true
        case .unregistered: false
        case .instance(let target): target.service == service
        }
    }

    /// Creates a requester from the last frame of a forwarded request: `SERVICE/INSTANCE`, or empty if unregistered.
    init(_ frame: Data) {
        self = RequestTarget(String(decoding: frame, as: UTF8.self)).map(Self.instance) ?? .unregistered
    }
}
