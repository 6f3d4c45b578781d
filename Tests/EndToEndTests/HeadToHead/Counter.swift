// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Locking

/// Counts from 1, on any thread.
final class Counter: Sendable {
    private let count = Lock(0)

    func next() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }

    var value: Int { count.withLock(\.self) }
}

/// Dates of HTTP (RFC 9110, section 5.6.7).
enum HTTPDate {
    static func text(secondsFromNow seconds: Double) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "UTC")
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return formatter.string(from: Date(timeIntervalSinceNow: seconds))
    }
}
