// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import Foundation
package import Telemetry
public import WidgetSchema

/// The settings of a client: its bus, its subscriptions, and the name under which it registers.
public struct BusConfiguration: Sendable {
    /// The service that a client is an instance of.
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

    public var address: BusAddress
    /// Made up at each start; request ids and the readiness topic carry it.
    ///
    /// 1 to 64 letters, digits or `-`.
    public var nonce: String
    /// Nil for a client that only asks or only listens.
    public var registration: Registration?
    /// Topic prefixes, `update/newData/`; empty for a client that hears nothing.
    public var subscriptions: [String]
    /// A Boolean value that indicates whether it publishes.
    public var publishes: Bool

    /// The interval of heartbeats.
    public var heartbeatInterval: Duration = .seconds(1)
    /// After how long a request without an answer is sent again, under the same id.
    public var retryInterval: Duration = .seconds(1)
    /// After how long a request that nobody was there for is sent again.
    public var unavailableRetryInterval: Duration = .milliseconds(200)
    /// After how long a subscription that the bus has not confirmed is asked for again.
    public var confirmationTimeout: Duration = .seconds(5)
    /// The longest pause before connecting again.
    public var maximumReconnectInterval: Duration = .seconds(5)
    /// After how long without the reader's thread a registered client counts as hanging: it sends no heartbeats and answers
    /// no request for its health until the thread comes back.
    public var readerTimeout: Duration = .seconds(60)
    /// The time for which a closed client still sends pending messages.
    public var linger: Duration = .milliseconds(500)

    /// The most messages and requests that wait to be read; newer ones are dropped and counted.
    public var maximumWaiting = 65_536
    /// The most bytes of messages and requests that wait to be read.
    public var maximumWaitingBytes = 64 * 1024 * 1024
    /// The most messages that wait for the publisher's first connection; newer ones are dropped and counted.
    public var maximumHeld = Int(BusLimits.sendQueue)

    /// Counts what passes and what is dropped; each heartbeat carries its values.
    package var metrics = Metrics()
    package var log = Logger.discarded

    public init(
        address: BusAddress,
        registration: Registration? = nil,
        subscriptions: [String] = [],
        publishes: Bool = false,
        nonce: String = BusConfiguration.makeNonce()
    ) {
        self.address = address
        self.nonce = nonce
        self.registration = registration
        self.subscriptions = subscriptions
        self.publishes = publishes
    }

    /// 16 random hexadecimal digits.
    public static func makeNonce() -> String {
        let digits = String(UInt64.random(in: .min ... .max), radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    func check() throws(BusAddressError) {
        for endpoint in address.endpoints where !endpoint.isConnectable {
            throw BusAddressError("\(endpoint)", "names no host and port to connect to")
        }
    }

    var settings: SocketSettings {
        var settings = SocketSettings()
        settings.linger = Int32(clamping: linger.millisecondsRoundedUp)
        settings.maximumReconnectInterval = Int32(clamping: maximumReconnectInterval.millisecondsRoundedUp)
        return settings
    }
}
