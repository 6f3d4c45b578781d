// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A service's heartbeat to the bus: "I am here, and this is my state".
///
/// The first one registers it.
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
