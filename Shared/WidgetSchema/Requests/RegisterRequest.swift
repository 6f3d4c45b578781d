// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A service's heartbeat to the bus, with its state.
///
/// The first heartbeat registers the instance.
public struct RegisterRequest: RequestBody {
    public static let name = "register"
    public typealias Result = Done

    public var service: ServiceName
    public var instance: InstanceName
    public var health: Health

    public init(service: ServiceName, instance: InstanceName, health: Health) {
        self.service = service
        self.instance = instance
        self.health = health
    }
}
