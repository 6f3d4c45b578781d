// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The store of a service without durable state: loads an empty state and commits nothing.
public struct NoStore: ServiceStore {
    public struct State: Hashable, Sendable {
        public init() {}
    }

    public init() {}

    public var reader: Void { () }
    public func load() -> State { State() }
    public func commit(_ writes: [Never]) {}
    public func setPaused(_ paused: Bool) {}
}
