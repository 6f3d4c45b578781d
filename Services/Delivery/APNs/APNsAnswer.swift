// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import HTTPTransport
import JSON
import ServiceRuntime
import WidgetSchema

/// The meaning of the answers of Apple's push service ("Handling notification responses from APNs").
struct APNsAnswer: Hashable, Sendable {
    /// The consequence of an answer for other requests with the same key.
    enum Consequence: Hashable, Sendable {
        case none
        /// The provider token is too old.
        case renewToken
        /// Requests with this key for the same app and environment wait, because only time or the operator can change the
        /// answer.
        ///
        /// After each rejected request, Apple allows one request at a time until it accepts one, so they would delay the
        /// pushes to all devices.
        case pause(Duration)
    }

    /// The time after which a request is repeated that a failure of Apple's service rejected.
    static let failurePause = Duration.seconds(15 * 60)
    /// The time after which a request is repeated that only the operator can make acceptable.
    static let configurationPause = Duration.seconds(3_600)
    /// The time after which the same device may get the next push.
    static let devicePause = Duration.seconds(5 * 60)

    var outcome: DeliveryOutcome
    var consequence = Consequence.none

    /// Creates the meaning of a result; `registered` is the time at which the device has sent its token.
    init(_ result: Result<HTTPResponse, HTTPFailure>, registered: Instant) {
        switch result {
        case .failure: self.init(outcome: WebOutcome.of(result))
        case .success(let response):
            if response.status == 200 {
                // libcurl has reported the end of the stream without an error, so a reset is not taken for success.
                self.init(outcome: .delivered)
            } else {
                self.init(
                    status: response.status,
                    Body(response.body),
                    wait: WebOutcome.retryAfter(response.headers["Retry-After"], now: .now),
                    registered: registered
                )
            }
        }
    }

    private init(outcome: DeliveryOutcome, consequence: Consequence = .none) {
        self.outcome = outcome
        self.consequence = consequence
    }

    /// The body of an answer other than 200.
    struct Body: Hashable, Sendable {
        /// The cause, such as `BadDeviceToken`; nil if there is none.
        var reason: String?
        /// The time at which Apple last found that the device has no such app; nil if there is none.
        var timestamp: Instant?

        init(reason: String?, timestamp: Instant? = nil) {
            self.reason = reason
            self.timestamp = timestamp
        }

        init(_ data: Data) {
            struct Members: Decodable {
                var reason: String?
                var timestamp: Int64?
            }
            let members = try? WireJSON.decode(Members.self, from: data)
            // The reason is shown to people, so a server must not choose any text.
            reason = members?.reason.flatMap { Self.isWord($0) ? $0 : nil }
            timestamp = members?.timestamp.map { Instant(milliseconds: $0) }
        }

        private static func isWord(_ text: String) -> Bool {
            (1...64).contains(text.utf8.count)
                && text.utf8.allSatisfy { byte in
                    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                }
        }
    }

    init(status: Int, _ body: Body, wait: Duration?, registered: Instant) {
        let text = "Apple's push service answered \(status)\(body.reason.map { " \($0)" } ?? "")"
        switch (status, body.reason) {
        case (400, "BadDeviceToken"):
            self.init(outcome: .gone(reason: "\(text): the token is invalid, or of the other environment."))
        case (400, "DeviceTokenNotForTopic"):
            self.init(outcome: .gone(reason: "\(text): the token is of another app or kind of push."))
        case (410, "ExpiredToken"):
            self.init(outcome: .gone(reason: "\(text): the token has expired."))
        case (410, _):
            // A device that has registered again since has the app again.
            if let timestamp = body.timestamp, registered > timestamp {
                let reason = "\(text), but the device has registered since."
                self.init(outcome: .retry(after: Self.configurationPause, reason: reason))
            } else {
                self.init(outcome: .gone(reason: "\(text): the app is no longer on the device."))
            }
        case (400, "IdleTimeout"):
            self.init(outcome: .retry(after: wait, reason: "\(text)."))
        case (400, "BadTopic"), (400, "TopicDisallowed"):
            let reason = "\(text): the key is not one of this app."
            self.init(outcome: .retry(after: Self.configurationPause, reason: reason))
        case (403, "ExpiredProviderToken"):
            self.init(outcome: .retry(after: nil, reason: "\(text)."), consequence: .renewToken)
        case (403, "Forbidden"):
            self.init(outcome: .rejected(reason: "\(text)."), consequence: .pause(Self.configurationPause))
        case (403, _):
            // BadCertificate, BadCertificateEnvironment, InvalidProviderToken, MissingProviderToken,
            // UnrelatedKeyIdInToken, BadEnvironmentKeyIdInToken: all are about the key.
            self.init(
                outcome: .retry(
                    after: Self.configurationPause,
                    reason: "\(text): check the key, its id, its team, its environment and the clock."
                ),
                consequence: .pause(Self.configurationPause)
            )
        case (429, "TooManyProviderTokenUpdates"):
            let pause = wait ?? APNsTokenSchedule.minimumAge
            self.init(outcome: .retry(after: pause, reason: "\(text)."), consequence: .pause(pause))
        case (429, _):
            self.init(outcome: .retry(after: wait ?? Self.devicePause, reason: "\(text)."))
        case (503, "Shutdown"):
            // The server is about to close this connection; another one is ready at once.
            self.init(outcome: .retry(after: wait, reason: "\(text)."))
        case (408, _), (500..., _):
            let pause = wait ?? Self.failurePause
            self.init(outcome: .retry(after: pause, reason: "\(text).", isServerFailure: status >= 500))
        default:
            // The request itself is wrong: BadCollapseId, BadExpirationDate, BadMessageId, BadPriority,
            // DuplicateHeaders, InvalidPushType, MissingDeviceToken, MissingTopic, PayloadEmpty, 404 BadPath,
            // 405 MethodNotAllowed, 413 PayloadTooLarge.
            self.init(outcome: .rejected(reason: "\(text)."))
        }
    }
}
