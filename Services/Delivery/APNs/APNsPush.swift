// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Cryptography
import Foundation
import HTTPTransport
import WidgetSchema

/// The push message for one device of Apple, and the request that sends it.
///
/// A widget push reloads all widgets of an app and carries nothing. A background push wakes the app and names the widget
/// and the cycle. Neither has content: the app fetches that.
struct APNsPush: Hashable, Sendable {
    /// The maximum size of a payload, in bytes.
    static let maximumPayloadBytes = 4096
    /// The time for which Apple keeps the message for a device that is not reachable.
    ///
    /// A day, because the last state must arrive; Apple keeps one message per app and device.
    static let lifetime = Duration.seconds(24 * 3_600)

    /// The id of the delivery, from which the id of the push follows.
    var message: String
    var subject: DeliverySubject
    var sequence: SequenceNumber?
    var time: Instant

    /// Returns the address of Apple's push service.
    static func origin(of environment: APNsRegistration.Environment) -> String {
        switch environment {
        case .production: "https://api.push.apple.com"
        case .sandbox: "https://api.sandbox.push.apple.com"
        }
    }

    /// Returns the topic of a registration: the app for background pushes, its widgets for widget pushes.
    static func topic(of registration: APNsRegistration) -> String {
        switch registration.push {
        case .widgets: "\(registration.bundle).push-type.widgets"
        case .background: registration.bundle
        }
    }

    /// The push's id, the same in each attempt: a UUID of 16 bytes of a hash, in lower case (RFC 9562, version 8).
    var id: String {
        var bytes = Array(SHA256.digest(of: Array(message.utf8)).prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        return UUID(
            uuid: (
                bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7],
                bytes[8], bytes[9], bytes[10], bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]
            )
        ).uuidString.lowercased()
    }

    /// Returns the id under which a newer push replaces one that waits, at most 64 bytes.
    ///
    /// All widget pushes of an app share one, because each of them reloads all widgets.
    func collapseID(_ push: APNsRegistration.Push) -> String {
        switch push {
        case .widgets: "tidings"
        case .background: String(SHA256.hexDigest(of: subject.description).prefix(32))
        }
    }

    func payload(_ push: APNsRegistration.Push) -> Data {
        switch push {
        case .widgets: return Data(#"{"aps":{"content-changed":true}}"#.utf8)
        case .background:
            // A subject and a number need no escapes.
            let cycle = sequence.map { #","sequence":"\#($0)""# } ?? ""
            return Data(#"{"aps":{"content-available":1},"tidings":{"subject":"\#(subject)"\#(cycle)}}"#.utf8)
        }
    }

    /// Returns the request that sends the push to a device.
    ///
    /// `origin` is the address of the push service, and `token` the provider token.
    func request(
        to registration: APNsRegistration,
        origin: String,
        token: String,
        timeout: Duration
    ) -> HTTPRequest {
        let expiration = time.advanced(by: Self.lifetime).milliseconds / 1000
        return HTTPRequest(
            url: "\(origin)/3/device/\(registration.token)",
            method: "POST",
            headers: [
                HTTPHeader("authorization", "bearer \(token)"),
                HTTPHeader("apns-id", id),
                HTTPHeader("apns-push-type", registration.push.rawValue),
                HTTPHeader("apns-topic", Self.topic(of: registration)),
                // A background push must have 5 (Apple: "Sending notification requests to APNs").
                HTTPHeader("apns-priority", registration.push == .background ? "5" : "10"),
                HTTPHeader("apns-expiration", String(expiration)),
                HTTPHeader("apns-collapse-id", collapseID(registration.push)),
                HTTPHeader("content-type", "application/json"),
            ],
            body: payload(registration.push),
            limits: WebOutcome.limits(timeout: timeout)
        )
    }
}
