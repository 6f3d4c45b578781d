// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The topic of a message; it is the message's first frame.
///
/// A topic ends with `/`, so that a subscription to the widget `blog` does not match the widget `blog2`.
public struct Topic: Hashable, Sendable, CustomStringConvertible {
    public let text: String

    /// Creates a topic from its text on the wire.
    public init(_ text: String) { self.text = text }

    public var description: String { text }

    /// Returns the topic on which the fetcher publishes the outcome of each fetch of a source; the cache subscribes to
    /// it.
    public static func fetched(_ source: SourceID) -> Topic { Topic(Prefix.fetched + "\(source)/") }

    /// Returns the topic on which the cache publishes the committed cycles of a widget; the layout service subscribes
    /// to it.
    public static func refreshed(_ widget: WidgetID) -> Topic { Topic(Prefix.refreshed + "\(widget)/") }

    /// Returns the topic on which the layout service publishes the digests of a widget's layouts; the notifier
    /// subscribes to it.
    public static func laidOut(_ widget: WidgetID) -> Topic { Topic(Prefix.laidOut + "\(widget)/") }

    /// Returns the topic on which the layout service publishes a widget's layouts for one display; clients subscribe to
    /// it.
    public static func layout(_ widget: WidgetID, on display: DisplayName) -> Topic {
        Topic(Prefix.layout + "\(widget)/\(display)/")
    }

    /// Returns the topic on which the notifier publishes a widget's updates with one result; clients subscribe to it.
    public static func update(_ result: UpdateResult, _ widget: WidgetID) -> Topic {
        Topic(Prefix.update + "\(result.rawValue)/\(widget)/")
    }

    /// Returns the topic on which `service` publishes the latest sequence number of each widget.
    ///
    /// Only the cache and the notifier publish such messages.
    public static func heads(of service: ServiceName) -> Topic { Topic(Prefix.heads + "\(service.rawValue)/") }

    /// Returns the topic on which the cache publishes the planned times of fetches.
    public static func schedule(of service: ServiceName) -> Topic { Topic(Prefix.schedule + "\(service.rawValue)/") }

    /// Returns the topic on which the bus publishes the state of one instance.
    public static func health(_ service: ServiceName, _ instance: InstanceName) -> Topic {
        Topic(Prefix.health + "\(service.rawValue)/\(instance)/")
    }

    /// Returns the topic of the message with which the bus tells a subscriber that its subscription is active.
    ///
    /// `nonce` is the text that the subscriber chose to recognise the message.
    public static func ready(nonce: String) -> Topic { Topic(Prefix.ready + "\(nonce)/") }

    /// The prefixes of the topics, one for each kind of message; consumers can subscribe to a whole prefix.
    public enum Prefix {
        public static let fetched = "fetched/"
        public static let refreshed = "refreshed/"
        public static let laidOut = "laidout/"
        public static let layout = "layout/"
        public static let update = "update/"
        public static let heads = "heads/"
        public static let schedule = "schedule/"
        public static let health = "health/"
        /// The prefix of readiness topics, with which the bus confirms subscriptions.
        ///
        /// A subscriber's last subscription is to a readiness topic. Its confirmation proves that all other
        /// subscriptions are active. After a reconnect, libzmq resends the subscriptions in byte order. No byte of a
        /// topic sorts after `~`, so the subscription to the readiness topic is again the last one.
        public static let ready = "~ready/"
    }

    /// The maximum length of the nonce in a readiness topic, in bytes.
    public static let maximumNonceLength = 64

    /// The nonce in a readiness topic, `~ready/NONCE/`; nil for any other topic.
    ///
    /// The bus confirms subscriptions with readiness topics. A nonce has 1 to 64 letters, digits or `-`.
    public var readyNonce: String? {
        guard text.hasPrefix(Prefix.ready), text.hasSuffix("/") else { return nil }
        let nonce = text.dropFirst(Prefix.ready.count).dropLast()
        guard (1...Self.maximumNonceLength).contains(nonce.utf8.count),
            nonce.utf8.allSatisfy({ $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "-") })
        else { return nil }
        return String(nonce)
    }
}
