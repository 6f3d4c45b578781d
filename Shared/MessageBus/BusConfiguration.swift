// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import Foundation
package import Telemetry
public import WidgetSchema

/// The configuration of a bus client: the addresses, the subscriptions, whether it publishes, and its registration.
public struct BusConfiguration: Sendable {
    /// The service instance that a client registers as.
    public struct Registration: Hashable, Sendable {
        public var service: ServiceName
        public var instance: InstanceName
        public var version: String
        public var startedAt: Instant

        public init(service: ServiceName, instance: InstanceName, version: String, startedAt: Instant) {
            self.service = service
            self.instance = instance
            self.version = version
            self.startedAt = startedAt
        }
    }

    /// The addresses of the bus, or of the two buses.
    public var addresses: BusAddresses
    /// A random text that is different for each start of the process: 1 to 64 letters, digits or `-`.
    ///
    /// Request ids and the readiness topic contain this text.
    public var nonce: String
    /// The registration; nil for a client that only sends requests or only listens.
    public var registration: Registration?
    /// The role that the instance registers with, until `BusClient.setRole` changes it; nil for an instance without a
    /// role.
    public var role: InstanceRole?
    /// The subscribed topic prefixes, such as `update/newData/`; empty for a client without subscriptions.
    public var subscriptions: [String]
    /// A Boolean value that indicates whether the client publishes messages.
    public var publishes: Bool

    /// The interval between heartbeats of an instance.
    public var heartbeatInterval: Duration = .seconds(1)
    /// The time after which an unanswered request is sent again with the same id.
    public var retryInterval: Duration = .seconds(1)
    /// The time after which an unanswered request is also sent to the other bus, if there are two.
    public var failoverInterval: Duration = .milliseconds(300)
    /// The maximum time to wait for the other bus after the client has become ready at one of two buses.
    ///
    /// After this time, the client reports `.ready`, although it is ready at one bus only.
    public var otherBusTimeout: Duration = .seconds(1)
    /// The time after which a request is sent again if no instance of the service was live.
    public var unavailableRetryInterval: Duration = .milliseconds(200)
    /// The time after which an unconfirmed subscription is requested again.
    public var confirmationTimeout: Duration = .seconds(5)
    /// The maximum pause between attempts to connect.
    public var maximumReconnectInterval: Duration = .seconds(5)
    /// The time that the service's thread may spend on one batch of inputs before the client counts as hanging.
    ///
    /// A hanging client sends no heartbeats and answers no health requests until the thread asks for the next batch.
    /// Only registered clients are checked.
    public var readerTimeout: Duration = .seconds(60)
    /// The maximum time for which a closed client continues to send pending messages.
    public var linger: Duration = .milliseconds(500)

    /// The maximum number of unread messages and requests in the inbox; further ones are dropped and counted.
    public var maximumWaiting = 65_536
    /// The maximum total size of the unread messages and requests in the inbox, in bytes.
    public var maximumWaitingBytes = 64 * 1024 * 1024
    /// The maximum number of messages that wait for the publisher's first connection to a bus.
    ///
    /// When this number is reached, further messages are dropped and counted.
    public var maximumHeld = Int(BusLimits.sendQueue)

    /// The metrics of the client and its process; each heartbeat contains their values.
    package var metrics = Metrics()
    package var log = Logger.discarded

    public init(
        addresses: BusAddresses,
        registration: Registration? = nil,
        subscriptions: [String] = [],
        publishes: Bool = false,
        nonce: String = BusConfiguration.makeNonce()
    ) {
        self.addresses = addresses
        self.nonce = nonce
        self.registration = registration
        self.subscriptions = subscriptions
        self.publishes = publishes
    }

    /// Returns 16 random hexadecimal digits.
    public static func makeNonce() -> String { UInt64.random(in: .min ... .max).padded(to: 16, radix: 16) }

    func check() throws(BusAddressError) {
        for endpoint in addresses.all.flatMap(\.endpoints) where !endpoint.isConnectable {
            throw BusAddressError("\(endpoint)", "a client cannot connect to the host * or the port 0")
        }
    }

    var settings: SocketSettings {
        var settings = SocketSettings()
        settings.linger = Int32(clamping: linger.millisecondsRoundedUp)
        settings.maximumReconnectInterval = Int32(clamping: maximumReconnectInterval.millisecondsRoundedUp)
        return settings
    }
}
