// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import HTTPTransport
import SourceParsing
import WidgetSchema

/// The rate limit in the headers of an answer, in any of the common forms.
///
/// - `X-RateLimit-Remaining` and `X-RateLimit-Reset`; the prefix may also be `RateLimit-` or `X-Rate-Limit-`.
/// - `RateLimit`, in the form of older or newer drafts of draft-ietf-httpapi-ratelimit-headers.
struct RateLimit {
    /// The number of remaining requests; nil if it is unknown.
    var remaining: Int?
    /// The time until more requests are allowed, in seconds; nil if it is unknown.
    var resetSeconds: Int?

    /// The smallest number that is read as a time in seconds since 1970; a smaller one is a duration in seconds.
    ///
    /// As a duration, this number would be more than 30 years.
    private static let smallestEpochSeconds = 1_000_000_000.0
    /// The smallest number that is read as a time in milliseconds since 1970.
    private static let smallestEpochMilliseconds = 1_000_000_000_000.0

    init(_ headers: HTTPHeaders, now: Instant) {
        for prefix in ["x-ratelimit-", "x-rate-limit-", "ratelimit-"] {
            remaining = remaining ?? headers["\(prefix)remaining"].flatMap(Self.number).map { Int(min($0, 1e9)) }
            resetSeconds = resetSeconds ?? headers["\(prefix)reset"].flatMap { Self.seconds($0, now: now) }
        }
        guard let field = headers["ratelimit"] else { return }
        // `limit=10, remaining=0, reset=42`, or `"default";r=0;t=42`.
        for part in field.split(whereSeparator: { $0 == "," || $0 == ";" }) {
            let pair = part.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            guard pair.count == 2 else { continue }
            switch pair[0].lowercased() {
            case "remaining", "r": remaining = remaining ?? Self.number(pair[1]).map { Int(min($0, 1e9)) }
            case "reset", "t": resetSeconds = resetSeconds ?? Self.seconds(pair[1], now: now)
            default: continue
            }
        }
    }

    /// Returns the number of seconds from `now` to the time in a text; nil if the text is invalid.
    ///
    /// The text is a duration in seconds, a time in seconds or milliseconds since 1970, or a date.
    private static func seconds(_ text: String, now: Instant) -> Int? {
        guard let number = number(text) else {
            guard let date = FeedDate.parse(text) else { return nil }
            return Int(max(0, date.milliseconds(since: now) / 1000))
        }
        let moment = number >= smallestEpochMilliseconds ? number / 1000 : number
        guard moment >= smallestEpochSeconds else { return Int(moment.rounded(.up)) }
        let seconds = (moment - Double(now.milliseconds) / 1000).rounded(.up)
        return Int(min(max(seconds, 0), Double(Int32.max)))
    }

    /// Returns the number in a text; nil if it is not a number.
    ///
    /// If the text is a list, its first number is returned, because that is usually the strictest limit.
    private static func number(_ text: String) -> Double? {
        let first = text.prefix { $0 != "," && $0 != ";" }.trimmingCharacters(in: .whitespaces)
        guard
            first.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: ".") }),
            let number = Double(first)
        else { return nil }
        return number
    }
}
