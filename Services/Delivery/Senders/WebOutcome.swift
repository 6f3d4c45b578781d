// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import HTTPTransport
import ServiceRuntime
import WidgetSchema

/// The outcomes of HTTP requests to webhooks and notification servers.
enum WebOutcome {
    /// The statuses with which a server says that it will never accept these bytes.
    private static let rejections: Set<Int> = [400, 413, 414, 415, 422]
    /// The maximum size of an answer, in bytes; the answer is not read beyond that.
    private static let maximumAnswerBytes = 64 * 1024
    /// The codes of libcurl for a connection that was never established, zero if libcurl was not asked.
    private static let unconnected: Set<Int> = [0, 7]

    /// Returns the limits of a request; a redirect is not followed, since it would send the message to another place.
    static func limits(timeout: Duration) -> HTTPLimits {
        var limits = HTTPLimits()
        limits.totalDeadline = timeout
        limits.connectDeadline = min(limits.connectDeadline, timeout)
        limits.maximumBodyBytes = maximumAnswerBytes
        limits.maximumRedirects = 0
        return limits
    }

    /// Returns the outcome of a request with a message; 410 is `gone` if `endsWithGone` is true.
    static func of(_ result: Result<HTTPResponse, HTTPFailure>, endsWithGone: Bool = false) -> DeliveryOutcome {
        switch result {
        case .success(let response): of(response, endsWithGone: endsWithGone)
        case .failure(let failure): of(failure)
        }
    }

    private static func of(_ response: HTTPResponse, endsWithGone: Bool) -> DeliveryOutcome {
        let reason = "The server answered \(response.status)."
        switch response.status {
        case 200..<300: return .delivered
        case 410 where endsWithGone: return .gone(reason: reason)
        case _ where rejections.contains(response.status): return .rejected(reason: reason)
        case let status:
            let wait = retryAfter(response.headers["Retry-After"], now: .now)
            return .retry(after: wait, reason: reason, isServerFailure: status >= 500)
        }
    }

    private static func of(_ failure: HTTPFailure) -> DeliveryOutcome {
        // The message of a failure names no address.
        let reason = "The server did not answer: \(failure.message)."
        switch failure.kind {
        case .refusedAddress, .refusedScheme, .badURL, .tooManyRedirects:
            return .retry(after: nil, reason: reason)
        case .nameNotResolved, .tls:
            return .retry(after: nil, reason: reason, isServerFailure: true)
        case .connectionFailed where unconnected.contains(failure.curlCode):
            return .retry(after: nil, reason: reason, isServerFailure: true)
        case .cancelled, .timedOut, .connectionFailed, .bodyTooLarge, .bodyTooDense, .headersTooLarge,
            .badContentCoding, .tooSlow, .protocolError:
            return .unknown(reason: reason)
        }
    }

    /// Returns the outcome of a request that only checks whether a server can be reached: any answer will do.
    static func reached(_ result: Result<HTTPResponse, HTTPFailure>) -> DeliveryOutcome {
        switch result {
        case .success: .delivered
        case .failure(let failure): .retry(after: nil, reason: "The server did not answer: \(failure.message).")
        }
    }

    /// Returns the time to wait that `Retry-After` states, in seconds or as a date (RFC 9110, section 10.2.3).
    static func retryAfter(_ value: String?, now: Instant) -> Duration? {
        guard let text = value?.trimmingCharacters(in: .whitespaces), !text.isEmpty else { return nil }
        if text.utf8.allSatisfy(\.isDigit) { return .seconds(min(Int64(text) ?? .max, Int64(Int32.max))) }
        guard let date = HTTPDate.seconds(text) else { return nil }
        let wait = Instant(milliseconds: date * 1000).milliseconds(since: now)
        return .milliseconds(max(0, min(wait, Int64(Int32.max) * 1000)))
    }
}
