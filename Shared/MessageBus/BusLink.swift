// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import Foundation
internal import Telemetry
internal import WidgetSchema

/// The sockets of a client for one bus, and the messages that wait until these sockets can send them.
///
/// Only the client's thread uses a `BusLink`.
final class BusLink {
    /// The index of the bus in the configured addresses.
    let number: Int
    let requests: ZeroMQSocket
    /// The socket that reports when `requests` makes or loses a connection.
    let connections: ZeroMQSocket
    let publisher: ZeroMQSocket
    /// The socket that reports when `publisher` makes or loses a connection.
    let publisherConnections: ZeroMQSocket
    let subscriber: ZeroMQSocket

    private let configuration: BusConfiguration
    private let address: BusAddress
    private let readyTopic: Topic
    /// Messages that were published before the publisher's first connection.
    private var held: [(topic: Topic, frames: [Data])] = []
    private var isPublisherConnected = false
    /// Messages that the request socket could not accept yet.
    private var unsent: [[Data]] = []
    private let heldLimit: Counter
    private let unsentLimit: Counter

    init(_ number: Int, _ configuration: BusConfiguration, in context: ZeroMQContext) throws(ZeroMQError) {
        self.number = number
        self.configuration = configuration
        address = configuration.addresses.all[number]
        readyTopic = .ready(nonce: configuration.nonce)
        heldLimit = configuration.metrics.limit("bus.messagesHeld")
        unsentLimit = configuration.metrics.limit("bus.requestsUnsent")
        let settings = configuration.settings
        var subscriberSettings = settings
        // 0 means no limit: libzmq would silently drop subscriptions above a limit.
        subscriberSettings.sendLimit = 0
        requests = try ZeroMQSocket(.dealer, in: context, settings: settings)
        connections = try requests.connectionEvents(name: "connection-events-\(number)")
        // Every client has a publisher and a subscriber, so that the loop is the same for all clients. A socket that
        // the client does not need is never connected.
        publisher = try ZeroMQSocket(.xpub, in: context, settings: settings)
        publisherConnections = try publisher.connectionEvents(name: "publisher-connection-events-\(number)")
        subscriber = try ZeroMQSocket(.sub, in: context, settings: subscriberSettings)
    }

    func connect() throws(ZeroMQError) {
        try requests.connect(to: address.request)
        if configuration.publishes { try publisher.connect(to: address.publish) }
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

    // MARK: Publishing

    /// Sends a message if the publisher has been connected to the bus at least once.
    ///
    /// Otherwise, the message is queued, or dropped if the queue is full.
    func publish(_ topic: Topic, _ frames: [Data]) throws(ZeroMQError) {
        if isPublisherConnected {
            try send(topic, frames)
        } else if held.count < configuration.maximumHeld {
            held.append((topic, frames))
        } else {
            heldLimit.increment()
        }
    }

    /// Sends the messages that were queued before the publisher's first connection.
    func publisherConnected() throws(ZeroMQError) {
        isPublisherConnected = true
        for (topic, frames) in held { try send(topic, frames) }
        held = []
    }

    private func send(_ topic: Topic, _ frames: [Data]) throws(ZeroMQError) {
        // An XPUB socket drops messages above its limit silently, and never blocks.
        _ = try publisher.send([Data(topic.text.utf8)] + frames)
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
