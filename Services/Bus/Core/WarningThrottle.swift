// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The rule that logs one warning for each address within a minute, and for a limited number of addresses.
struct WarningThrottle {
    private static let interval = Duration.seconds(60)
    private static let maximumAddresses = 64

    private var times: [String: ContinuousClock.Instant] = [:]

    /// Returns true if a warning about an address must be logged now.
    mutating func isDue(_ address: String, now: ContinuousClock.Instant) -> Bool {
        times = times.filter { now - $0.value < Self.interval }
        guard times[address] == nil, times.count < Self.maximumAddresses else { return false }
        times[address] = now
        return true
    }
}
