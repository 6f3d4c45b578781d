// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import MessageBus
import Testing
import WidgetSchema

extension BusConfiguration.Registration {
    /// Returns the registration of the instance `one` of a service.
    static func one(_ service: ServiceName) throws -> Self {
        let instance = try #require(InstanceName(rawValue: "one"))
        return Self(service: service, instance: instance, version: "1", startedAt: Instant(milliseconds: 0))
    }
}
