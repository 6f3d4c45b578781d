// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

package import MessageBus
package import WidgetSchema

extension BusConfiguration.Registration {
    /// Returns the registration of one instance of a service.
    package static func one(_ service: ServiceName, named name: String = "one") throws -> Self {
        guard let instance = InstanceName(rawValue: name) else { throw DidNotArrive("a valid name of an instance") }
        return Self(service: service, instance: instance, version: "1", startedAt: Instant(milliseconds: 0))
    }
}
