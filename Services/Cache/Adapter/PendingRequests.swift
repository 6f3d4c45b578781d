// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import MessageBus
import WidgetSchema

/// The requests that the cache has not answered yet.
struct PendingRequests {
    private var requests: [RequesterID: IncomingRequest] = [:]
    private var commands: [RequestID: RequesterID] = [:]
    private var last: RequesterID = 0

    /// Adds a request and returns the id under which the core knows its requester.
    mutating func add(_ request: IncomingRequest) -> RequesterID {
        last += 1
        requests[last] = request
        return last
    }

    /// Adds a command; returns nil if it is the repetition of a command that waits already.
    ///
    /// A requester repeats its command each second until the origin has answered. The answer goes to the connection of
    /// the latest repetition.
    mutating func addCommand(_ request: IncomingRequest) -> RequesterID? {
        if let known = commands[request.id] {
            requests[known] = request
            return nil
        }
        let requester = add(request)
        commands[request.id] = requester
        return requester
    }

    /// Removes a request and returns it; nil if it was removed before.
    mutating func remove(_ requester: RequesterID) -> IncomingRequest? {
        guard let request = requests.removeValue(forKey: requester) else { return nil }
        if commands[request.id] == requester { commands[request.id] = nil }
        return request
    }

    mutating func removeAll() { (requests, commands) = ([:], [:]) }
}
