// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import WidgetSchema

/// The requests that a service has not answered yet, by the ids under which its core knows them.
public struct PendingRequests {
    private var requests: [RequesterID: IncomingRequest] = [:]
    private var repeatable: [IncomingRequest.Key: RequesterID] = [:]
    private var last: RequesterID = 0

    public init() {}

    /// Adds a request and returns its id.
    public mutating func add(_ request: IncomingRequest) -> RequesterID {
        last += 1
        requests[last] = request
        return last
    }

    /// Adds a request that its requester repeats while it waits; returns nil if it is a repetition.
    ///
    /// The answer goes to the connection of the latest repetition.
    public mutating func addOnce(_ request: IncomingRequest) -> RequesterID? {
        if let known = repeatable[request.key] {
            requests[known] = request
            return nil
        }
        let id = add(request)
        repeatable[request.key] = id
        return id
    }

    /// Removes a request and returns it; nil if it was removed before.
    public mutating func remove(_ id: RequesterID) -> IncomingRequest? {
        guard let request = requests.removeValue(forKey: id) else { return nil }
        if repeatable[request.key] == id { repeatable[request.key] = nil }
        return request
    }

    public mutating func removeAll() { (requests, repeatable) = ([:], [:]) }
}
