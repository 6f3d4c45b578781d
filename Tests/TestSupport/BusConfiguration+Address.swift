// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

package import MessageBus
package import WidgetSchema

extension BusConfiguration {
    /// The configuration of a client of one bus.
    package init(
        address: BusAddress,
        registration: Registration? = nil,
        subscriptions: [String] = [],
        publishes: Bool = false,
        nonce: String = BusConfiguration.makeNonce()
    ) {
        self.init(
            addresses: BusAddresses(address),
            registration: registration,
            subscriptions: subscriptions,
            publishes: publishes,
            nonce: nonce
        )
    }
}
