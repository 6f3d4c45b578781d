// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import HTTPTransport
import ServiceRuntime
import WidgetSchema

/// The meaning of a push service's answers (RFC 8030, section 5 and 8; RFC 8292, section 4.2).
enum WebPushAnswer {
    /// The pause after an answer that only the operator can change, such as a rejected signature.
    private static let longPause = Duration.seconds(3_600)

    static func outcome(_ result: Result<HTTPResponse, HTTPFailure>) -> DeliveryOutcome {
        switch result {
        case .failure: WebOutcome.of(result)
        case .success(let response): outcome(response)
        }
    }

    static func outcome(_ response: HTTPResponse) -> DeliveryOutcome {
        let status = response.status
        let wait = WebOutcome.retryAfter(response.headers["Retry-After"], now: .now)
        switch status {
        case 200..<300:
            return .delivered
        case 401, 403:
            // A subscription that was made with another key, or a wrong clock. The browser subscribes again when its page
            // finds that the key has changed.
            let reason =
                "The push service rejected the signature (\(status)): check the VAPID key, the clock and devices.contact."
            return .retry(after: wait ?? longPause, reason: reason)
        case 404, 410:
            return .gone(reason: "The browser has ended the subscription (\(status)).")
        case 413:
            return .rejected(reason: "The push service rejected the message as too large (413).")
        // Windows Notification Services answer 406 to more messages than allowed.
        case 406, 429:
            return .retry(after: wait, reason: "The push service limits the rate of messages (\(status)).")
        case 408, 500...:
            let reason = "The push service failed (\(status))."
            return .retry(after: wait, reason: reason, isServerFailure: status >= 500)
        default:
            return .rejected(reason: "The push service rejected the message (\(status)).")
        }
    }
}
