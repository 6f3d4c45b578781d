// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Cryptography
import Foundation
import HTTPTransport
import WidgetSchema

/// A message for one browser, which its service worker reads.
///
/// It names the widget and the cycle, and not the content: the page fetches that with its own session. A notification has
/// a title and a text in addition.
struct WebPushMessage: Codable, Hashable, Sendable {
    enum Action: String, Codable, Sendable {
        /// Open pages fetch the widget again; a browser may show a notification of its own if no page is open.
        case refresh
        /// The service worker shows a notification, which replaces the previous one of the widget.
        case notify
    }

    /// The maximum length of a title, in characters.
    static let maximumTitle = 100
    /// The maximum length of a text, in characters; more is not visible in a notification.
    static let maximumText = 400

    var action: Action
    /// The widget or board, such as `widget/news`; notifications with equal subjects replace each other.
    var subject: String
    /// The latest cycle that the message covers.
    var sequence: SequenceNumber?
    var title: String?
    var text: String?

    /// Returns the message as JSON, with a text that is shortened until it fits into one push message.
    func encoded() throws(WireError) -> Data {
        var message = self
        message.title = title.map { String($0.prefix(Self.maximumTitle)) }
        message.text = text.map { String($0.prefix(Self.maximumText)) }
        var data = try WireJSON.encode(message)
        // One character can have many bytes, and an escape has six.
        while data.count > WebPushEncryption.maximumTextBytes, let text = message.text, !text.isEmpty {
            message.text = String(text.prefix(text.count / 2))
            data = try WireJSON.encode(message)
        }
        return data
    }
}

/// The importance of a push message (RFC 8030, section 5.3).
enum WebPushUrgency: String, Hashable, Sendable {
    /// The browser may wait until the device charges or has Wi-Fi.
    case low
    case normal
    /// The browser wakes the device, even if its battery is low.
    case high
}

/// The HTTP request that sends a push message (RFC 8030).
enum WebPushRequest {
    /// The time for which a push service keeps a message for a browser that is not reachable.
    ///
    /// A day, because the last state must arrive. ``topic(of:)`` keeps older messages from piling up.
    static let lifetime = Duration.seconds(24 * 3_600)

    /// Returns the topic of a subject: a newer message replaces a waiting one with the same topic (RFC 8030, section 5.4).
    ///
    /// The topic has 32 characters and is a hash, so the push service does not learn the names of widgets.
    static func topic(of subject: DeliverySubject) -> String {
        Base64URL.encode(Array(SHA256.digest(of: Array(subject.description.utf8)).prefix(24)))
    }

    static func make(
        to endpoint: WebPushEndpoint,
        body: [UInt8],
        authorization: String,
        delivery: (topic: String, urgency: WebPushUrgency, timeout: Duration)
    ) -> HTTPRequest {
        HTTPRequest(
            url: endpoint.text,
            method: "POST",
            headers: [
                HTTPHeader("Authorization", authorization),
                HTTPHeader("Content-Encoding", "aes128gcm"),
                HTTPHeader("Content-Type", "application/octet-stream"),
                HTTPHeader("TTL", String(lifetime.components.seconds)),
                HTTPHeader("Topic", delivery.topic),
                HTTPHeader("Urgency", delivery.urgency.rawValue),
            ],
            body: Data(body),
            limits: WebOutcome.limits(timeout: delivery.timeout)
        )
    }
}
