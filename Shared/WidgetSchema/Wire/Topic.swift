// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The first frame of a message.
///
/// A topic ends with `/`, so that a subscription to the widget `blog` does not match the widget `blog2`.
public struct Topic: Hashable, Sendable, CustomStringConvertible {
    public let text: String

    /// Creates a topic from its text on the wire.
    public init(_ text: String) { self.text = text }

    public var description: String { text }

    /// Returns the topic of the outcome of one lease: fetcher → cache.
    public static func fetched(_ source: SourceID) -> Topic { Topic(Prefix.fetched + "\(source)/") }

    /// Returns the topic of a committed cycle: cache → layout.
    public static func refreshed(_ widget: WidgetID) -> Topic { Topic(Prefix.refreshed + "\(widget)/") }

    /// Returns the topic of the digests of a cycle's layouts: layout → notifier.
    public static func laidOut(_ widget: WidgetID) -> Topic { Topic(Prefix.laidOut + "\(widget)/") }

    /// Returns the topic of one layout: layout → clients.
    public static func layout(_ widget: WidgetID, on display: DisplayName) -> Topic {
        Topic(Prefix.layout + "\(widget)/\(display)/")
    }

    /// Returns the topic of a cycle's verdict: notifier → clients.
    public static func update(_ result: UpdateResult, _ widget: WidgetID) -> Topic {
        Topic(Prefix.update + "\(result.rawValue)/\(widget)/")
    }

    /// Returns the topic of the latest sequence number of each widget: cache or notifier → consumers.
    public static func heads(of service: ServiceName) -> Topic { Topic(Prefix.heads + "\(service.rawValue)/") }

    /// Returns the topic of the state of one instance: bus → all.
    public static func health(_ service: ServiceName, _ instance: InstanceName) -> Topic {
        Topic(Prefix.health + "\(service.rawValue)/\(instance)/")
    }

    /// Returns the topic with which the bus confirms a subscription: bus → the subscriber that chose `nonce`.
    public static func ready(nonce: String) -> Topic { Topic(Prefix.ready + "\(nonce)/") }

    /// The prefixes of the topics of each kind; each is a valid subscription.
    public enum Prefix {
        public static let fetched = "fetched/"
        public static let refreshed = "refreshed/"
        public static let laidOut = "laidout/"
        public static let layout = "layout/"
        public static let update = "update/"
        public static let heads = "heads/"
        public static let health = "health/"
        /// The prefix of readiness topics.
        ///
        /// No byte of a topic sorts after `~`. After a reconnect, libzmq resends subscriptions in byte order, so the
        /// one to a readiness topic comes last. Its confirmation proves that all others are active.
        public static let ready = "~ready/"
    }

    /// The maximum length of the nonce in a readiness topic, in bytes.
    public static let maximumNonceLength = 64

    /// The nonce of a readiness topic, `~ready/NONCE/`, with which the bus may confirm a subscription; nil for any
    /// other topic.
    ///
    /// A nonce has 1 to 64 letters, digits or `-`.
    public var readyNonce: String? {
        guard text.hasPrefix(Prefix.ready), text.hasSuffix("/") else { return nil }
        let nonce = text.dropFirst(Prefix.ready.count).dropLast()
        guard (1...Self.maximumNonceLength).contains(nonce.utf8.count),
            nonce.unicodeScalars.allSatisfy({
                $0 == "-" || ("0"..."9").contains($0) || ("a"..."z").contains($0) || ("A"..."Z").contains($0)
            })
        else { return nil }
        return String(nonce)
    }
}
