// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import HTTPTransport
import SourceParsing
import WidgetSchema

/// Reads what an answer's headers say about when to ask again.
struct FreshnessReader {
    let status: Int
    let headers: HTTPHeaders
    /// When the answer came.
    let now: Instant

    var freshness: Freshness {
        Freshness(lifetimeSeconds: lifetime, retryAfterSeconds: retryAfter)
    }

    /// RFC 9111, section 4.2.1: `max-age` wins over `Expires`; what `Age` says has passed already.
    private var lifetime: Int? {
        let directives = headers.values("Cache-Control").joined(separator: ",").lowercased().split(separator: ",")
            .map { $0.trimmingCharacters(in: .whitespaces) }
        if directives.contains("no-store") || directives.contains("no-cache") { return 0 }
        if let maximumAge = directives.lazy.compactMap(Self.maximumAge).first {
            return max(0, maximumAge - (headers["Age"].flatMap(Self.seconds) ?? 0))
        }
        guard let expires = headers["Expires"] else { return nil }
        // An invalid date, and `0` above all, means "expired already" (RFC 9111, section 5.3).
        guard let end = FeedDate.parse(expires) else { return 0 }
        let start = headers["Date"].flatMap(FeedDate.parse) ?? now
        return Int(max(0, end.milliseconds(since: start) / 1000))
    }

    /// Whether the host wants fewer requests: 429, 503 with a time, or a limit that is used up (GitHub's 403).
    var isRateLimited: Bool {
        switch status {
        case 429: true
        case 503: retryAfter != nil
        case 403: RateLimit(headers, now: now).remaining == 0
        default: false
        }
    }

    /// What to do with the answer's validators: none where the server says that it has never heard of caching, and no
    /// date that is not over yet.
    ///
    /// `Expires: 0` by itself comes from servers that send any validators at all; a date to come, 2038 above all, is
    /// never older than what changes. Either would get a 304 for ever.
    var validators: Validators {
        if headers["Expires"]?.trimmingCharacters(in: .whitespaces) == "0", headers["Cache-Control"] == nil {
            return Validators()
        }
        var validators = HTTPRequest.conditions(
            Validators(entityTag: headers["ETag"], lastModified: headers["Last-Modified"])
        )
        if let date = validators.lastModified.flatMap(FeedDate.parse),
            date.milliseconds(since: now) > Self.clockSlackMilliseconds
        {
            validators.lastModified = nil
        }
        return validators
    }

    /// By how much the clock of an origin may be ahead.
    private static let clockSlackMilliseconds: Int64 = 24 * 3_600_000

    /// `Retry-After`, else the end of a rate limit, where the answer is a refusal or the limit is used up.
    private var retryAfter: Int? {
        let limit = RateLimit(headers, now: now)
        let isRefused = status >= 400
        if isRefused, let asked = statedRetryAfter { return asked }
        return limit.remaining == 0 || status == 429 || status == 503 ? limit.resetSeconds : nil
    }

    /// RFC 9110, section 10.2.3: seconds, or a date.
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

    /// Digits only; a number too large for an integer is as good as for ever.
    private static func seconds(_ text: String) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return nil
        }
        return Int(text) ?? Int(Int32.max)
    }
}
