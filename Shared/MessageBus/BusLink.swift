// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import Foundation
internal import Telemetry
internal import WidgetSchema

/// The sockets of a client for one bus, and the messages that wait until these sockets can send them.
///
/// Only the client's thread uses a `BusLink`; other threads also use its `publisher`.
final class BusLink {
    /// The index of the bus in the configured addresses.
    let number: Int
    let requests: ZeroMQSocket
    /// The socket that reports when `requests` makes or loses a connection.
    let connections: ZeroMQSocket
    let publisher: BusPublisher
    /// The socket that reports when `publisher` makes or loses a connection.
    let publisherConnections: ZeroMQSocket
    let subscriber: ZeroMQSocket

    private let configuration: BusConfiguration
    private let address: BusAddress
    private let readyTopic: Topic
    /// Messages that the request socket could not accept yet.
    private var unsent: [[Data]] = []
    private let unsentLimit: Counter

    init(_ number: Int, _ configuration: BusConfiguration, in context: ZeroMQContext) throws(ZeroMQError) {
        self.number = number
        self.configuration = configuration
        address = configuration.addresses.all[number]
        readyTopic = .ready(nonce: configuration.nonce)
        unsentLimit = configuration.metrics.limit("bus.requestsUnsent")
        let settings = configuration.settings
        var subscriberSettings = settings
        // 0 means no limit: libzmq would silently drop subscriptions above a limit.
        subscriberSettings.sendLimit = 0
        requests = try ZeroMQSocket(.dealer, in: context, settings: settings)
        connections = try requests.connectionEvents(name: "connection-events-\(number)")
        // Every client has a publisher and a subscriber, so that the loop is the same for all clients. A socket that
        // the client does not need is never connected.
        let publisher = try ZeroMQSocket(.xpub, in: context, settings: settings)
        publisherConnections = try publisher.connectionEvents(name: "publisher-connection-events-\(number)")
        if configuration.publishes { try publisher.connect(to: address.publish) }
        self.publisher = BusPublisher(number, configuration, publisher)
        subscriber = try ZeroMQSocket(.sub, in: context, settings: subscriberSettings)
    }

    func connect() throws(ZeroMQError) {
        try requests.connect(to: address.request)
        guard !configuration.subscriptions.isEmpty else { return }
        try subscriber.connect(to: address.subscribe)
        for prefix in configuration.subscriptions { subscriber.subscribe(to: prefix) }
        // The readiness topic comes last: when the bus echoes it, all earlier subscriptions are active.
        subscriber.subscribe(to: readyTopic.text)
    }

    func askForEcho() {
        subscriber.unsubscribe(from: readyTopic.text)
        subscriber.subscribe(to: readyTopic.text)
    }

    // MARK: Requests and answers

    var hasUnsent: Bool { !unsent.isEmpty }

    func send(_ frames: [Data]) throws(ZeroMQError) {
        if unsent.isEmpty, try requests.send(frames) == .sent { return }
        if unsent.count < Int(BusLimits.requestQueue) {
            unsent.append(frames)
        } else {
            unsentLimit.increment()
        }
    }

    func sendAgain() throws(ZeroMQError) {
        var sent = 0
        for frames in unsent {
            guard try requests.send(frames) == .sent else { break }
            sent += 1
        }
        unsent.removeFirst(sent)
    }

    /// Drops the messages in `unsent`, because the connection for which they were intended has ended.
    func disconnected() { unsent = [] }
}
