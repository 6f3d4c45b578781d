// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The requests that a service has not answered yet, by numbers under which its core knows them.
public struct PendingRequests {
    private var requests: [UInt64: IncomingRequest] = [:]
    private var repeatable: [IncomingRequest.Key: UInt64] = [:]
    private var last: UInt64 = 0

    public init() {}

    /// Adds a request and returns its number.
    public mutating func add(_ request: IncomingRequest) -> UInt64 {
        last += 1
        requests[last] = request
        return last
    }

    /// Adds a request that its requester repeats while it waits; returns nil if it is a repetition.
    ///
    /// The answer goes to the connection of the latest repetition.
    public mutating func addOnce(_ request: IncomingRequest) -> UInt64? {
        if let known = repeatable[request.key] {
            requests[known] = request
            return nil
        }
        let number = add(request)
        repeatable[request.key] = number
        return number
    }

    /// Removes a request and returns it; nil if it was removed before.
    public mutating func remove(_ number: UInt64) -> IncomingRequest? {
        guard let request = requests.removeValue(forKey: number) else { return nil }
        if repeatable[request.key] == number { repeatable[request.key] = nil }
        return request
    }

    public mutating func removeAll() { (requests, repeatable) = ([:], [:]) }
}
