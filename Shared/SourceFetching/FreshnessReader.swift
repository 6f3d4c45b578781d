// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import HTTPTransport
import SourceParsing
import WidgetSchema

/// Reads what an answer's headers say about when to ask again.
struct FreshnessReader {
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

    /// RFC 9110, section 10.2.3: seconds, or a date.
    private var retryAfter: Int? {
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
