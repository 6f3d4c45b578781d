// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A request for the state of an instance; every service answers it.
public struct HealthRequest: RequestBody {
    public static let name = "health"
    public typealias Result = HealthAnswer

    public init() {}
}

/// The state of the instance that answered.
public struct HealthAnswer: Codable, Hashable, Sendable {
    public var service: ServiceName
    public var instance: InstanceName
    public var health: Health

    public init(service: ServiceName, instance: InstanceName, health: Health) {
        self.service = service
        self.instance = instance
        self.health = health
    }
}
