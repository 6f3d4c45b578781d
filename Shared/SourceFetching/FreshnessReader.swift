// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import HTTPTransport
import SourceParsing
import WidgetSchema

/// A reader for the freshness, the validators and the rate limit in the headers of an answer.
///
/// The freshness and the rate limit determine when the next request is sent. The validators are sent with that request.
struct FreshnessReader {
    let status: Int
    let headers: HTTPHeaders
    /// The time at which the answer was received.
    let now: Instant

    var freshness: Freshness {
        Freshness(lifetimeSeconds: lifetime, retryAfterSeconds: retryAfter)
    }

    /// The freshness lifetime in seconds (RFC 9111, section 4.2.1); nil if the answer does not state one.
    ///
    /// If the answer has `no-store` or `no-cache`, the lifetime is 0. Otherwise, it is `max-age` minus `Age`, or else
    /// the time from `Date` to `Expires`.
    private var lifetime: Int? {
        let directives = headers.values("Cache-Control").joined(separator: ",").lowercased().split(separator: ",")
            .map { $0.trimmingCharacters(in: .whitespaces) }
        if directives.contains("no-store") || directives.contains("no-cache") { return 0 }
        if let maximumAge = directives.lazy.compactMap(Self.maximumAge).first {
            return max(0, maximumAge - (headers["Age"].flatMap(Self.seconds) ?? 0))
        }
        guard let expires = headers["Expires"] else { return nil }
        // An invalid date, in particular `0`, means "already expired" (RFC 9111, section 5.3).
        guard let end = FeedDate.parse(expires) else { return 0 }
        let start = headers["Date"].flatMap(FeedDate.parse) ?? now
        return Int(max(0, end.milliseconds(since: start) / 1000))
    }

    /// A Boolean value that indicates whether the origin asks for fewer requests.
    ///
    /// True in three cases:
    ///
    /// - The status is 429.
    /// - The status is 503, and `Retry-After` or the rate limit in the headers states a time to wait.
    /// - The status is 403, and the headers state that no requests remain. GitHub sends this status.
    var isRateLimited: Bool {
        switch status {
        case 429: true
        case 503: retryAfter != nil
        case 403: RateLimit(headers, now: now).remaining == 0
        default: false
        }
    }

    /// The validators of the answer that may be sent with the next request.
    ///
    /// Validators that cannot be sent in a header are left out. Two other kinds are left out because the server would
    /// answer 304 to them forever:
    ///
    /// - All validators of an answer that has `Expires: 0` but no `Cache-Control`. Servers with such answers send
    ///   meaningless validators.
    /// - A modification date more than a day in the future, such as one in 2038. Every change of the document would
    ///   have an earlier date.
    var validators: Validators {
        if headers["Expires"]?.trimmingCharacters(in: .whitespaces) == "0", headers["Cache-Control"] == nil {
            return Validators()
        }
        var validators = HTTPRequest.conditions(
            Validators(entityTag: headers["ETag"], lastModified: headers["Last-Modified"])
        )
        if let date = validators.lastModified.flatMap(FeedDate.parse),
            date > now.advanced(by: Self.clockTolerance)
        {
            validators.lastModified = nil
        }
        return validators
    }

    /// The maximum time by which the clock of an origin may be ahead of the clock of this machine.
    private static let clockTolerance: Duration = .seconds(24 * 3600)

    /// The seconds to wait before the next request; nil if the answer does not ask to wait.
    ///
    /// If the status is 400 or above, a valid `Retry-After` determines the time. With a lower status, or without a
    /// valid `Retry-After`, it is the time until the rate limit allows more requests, but only in these cases:
    ///
    /// - The status is 429 or 503.
    /// - The rate limit has no remaining requests; the status does not matter.
    private var retryAfter: Int? {
        let limit = RateLimit(headers, now: now)
        let isRefused = status >= 400
        if isRefused, let asked = statedRetryAfter { return asked }
        return limit.remaining == 0 || status == 429 || status == 503 ? limit.resetSeconds : nil
    }

    /// The seconds to wait that `Retry-After` states as a number or a date (RFC 9110, section 10.2.3).
    ///
    /// Nil if the header is missing or invalid.
    private var statedRetryAfter: Int? {
        guard let value = headers["Retry-After"]?.trimmingCharacters(in: .whitespaces) else { return nil }
        if let seconds = Self.seconds(value) { return seconds }
        guard let date = FeedDate.parse(value) else { return nil }
        return Int(max(0, date.milliseconds(since: now) / 1000))
    }

    private static func maximumAge(_ directive: String) -> Int? {
        guard directive.hasPrefix("max-age=") else { return nil }
        return seconds(directive.dropFirst("max-age=".count).trimmingCharacters(in: ["\""]))
    }

    /// Parses a number of seconds that consists only of digits; returns nil for any other text.
    ///
    /// A number that overflows `Int` is replaced by `Int32.max`, which is about 68 years.
    private static func seconds(_ text: String) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy(\.isDigit) else {
            return nil
        }
        return Int(text) ?? Int(Int32.max)
    }
}
