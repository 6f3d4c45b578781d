// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import MessageBus
package import Telemetry
package import WidgetSchema

/// The configuration of a bus: its address, instance, version and limits.
package struct BusServerConfiguration: Sendable {
    package var address: BusAddress
    package var instance: InstanceName
    package var version: String
    /// A Boolean value that indicates whether clients on other machines may connect, although the bus does not
    /// authenticate clients.
    package var allowWithoutKeys = false
    /// The maximum number of messages that the bus keeps for one slow subscriber.
    package var subscriberQueue = BusLimits.subscriberQueue
    package var subscriptionLimits = SubscriptionLimits()
    /// The memory use at which the bus exits, in bytes; 0 means no limit.
    package var memoryLimit = BusLimits.memory
    /// The maximum number of registered instances.
    package var maximumInstances = BusCore.maximumInstances
    package var log = Logger.discarded

    package init(address: BusAddress, instance: InstanceName, version: String) {
        self.address = address
        self.instance = instance
        self.version = version
    }
}
