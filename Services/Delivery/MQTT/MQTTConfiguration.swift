// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import WidgetSchema

/// The connection to a broker; user and password are not shown in its description.
struct MQTTConfiguration: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    /// The time between two signs of life; the broker publishes the will after one and a half of it.
    static let keepAliveSeconds: Int32 = 30
    /// The maximum time from the connection to the broker's acceptance.
    static let acceptanceTimeout = Duration.seconds(10)
    /// The time after which kept messages are no longer awaited.
    static let readingTimeout = Duration.seconds(10)
    static let minimumBackOff = Duration.seconds(1)
    static let maximumBackOff = Duration.seconds(60)
    /// The maximum size of a message from the broker, in bytes; a larger one is dropped.
    static let maximumIncomingBytes = 64 * 1024

    var address: MQTTAddress
    /// The id of this client; the broker ends an older connection with the same id.
    var clientID: String
    var user: String?
    var password: String?
    /// The PEM file with the trusted certificate authorities; nil for those of the system.
    var certificateFile: String?
    /// A Boolean value that indicates whether the broker may have a private address.
    var allowPrivateNetworks: Bool
    /// Addresses that may be contacted even if they are in a rejected range.
    var allowedAddresses: Set<IPAddress> = []
    /// The message that the broker publishes if this client disappears; nil for none.
    var will: MQTTMessage?
    var filters: [String]

    var description: String { "\(address)" }
    var customMirror: Mirror { Mirror(self, children: ["address": address]) }
}
