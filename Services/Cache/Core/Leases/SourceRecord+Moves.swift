// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import OriginRules
import WidgetSchema

/// The rules for sources that have moved: when the configured address is asked, and when the move ends.
///
/// A wrong move must heal by itself: an answer may have come from a login page, or from the new owner of a domain. So
/// one attempt a day goes to the configured address.
extension SourceRecord {
    /// The maximum time between two attempts at the configured address of a source that has moved.
    static let configuredAttemptInterval: Duration = .seconds(24 * 3_600)
    /// The number of consecutive failures after which the next attempt goes to the configured address.
    static let failuresUntilDoubt = 3

    /// The time from which the next attempt goes to the configured address.
    private var configuredAttemptDue: Instant? {
        configuredAttempt?.advanced(by: Self.configuredAttemptInterval)
    }

    /// A Boolean value that indicates whether the source has moved, and its next attempt goes to the configured address.
    var asksConfiguredAddress: Bool {
        guard location != nil else { return false }
        return doubtsLocation || configuredAttemptDue.map { nextAttempt >= $0 } ?? true
    }

    /// Records the outcome of an attempt that found no document at the configured address.
    ///
    /// The source itself has not failed: the next attempt goes to ``location`` at once, or when it would have been due
    /// if the attempt at the configured address had not been pulled forward. But if the answer is a page that names a
    /// feed on its own host, and a page has led to another host before, that one was probably a login page; so the
    /// configured address is asked again, and its page is followed. `interval` is the time between two attempts.
    mutating func noteUnansweredConfiguredAddress(
        _ configured: String,
        announced: String?,
        interval: Duration,
        now: Instant
    ) {
        let wasPulledForward = failures == 0 && nextAttempt == configuredAttemptDue
        if let announced, announced == location { isAnnounced = true }
        configuredAttempt = now
        let home = OriginHost.name(of: configured)
        doubtsLocation =
            isAnnounced && !mayLookForFeed && announced.map(OriginHost.name) == home
            && location.map(OriginHost.name) != home
        if doubtsLocation { mayLookForFeed = true }
        abandonedLeases = 0
        heldUntil = nil
        nextAttempt = wasPulledForward && !doubtsLocation ? max(now, lastAttempt?.advanced(by: interval) ?? now) : now
    }

    /// Applies the address in an outcome with content.
    ///
    /// `isConfigured` is true if the configured address was asked. Its answer decides where the source is from then on;
    /// an answer of ``location`` can only lead on.
    mutating func noteAddress(in fetched: Fetched, isConfigured: Bool) {
        if fetched.result == .notModified { return }
        if isConfigured {
            location = fetched.location
            isAnnounced = fetched.location != nil && fetched.announced != nil
        } else if let next = fetched.location {
            location = next
        }
    }

    /// Records an attempt, and decides about the address of the next one.
    mutating func noteAttempt(_ fetched: Fetched, isConfigured: Bool, now: Instant) {
        guard location != nil else {
            (configuredAttempt, doubtsLocation, mayLookForFeed) = (nil, false, false)
            return
        }
        if isConfigured { configuredAttempt = now }
        let failure = fetched.failure
        mayLookForFeed = failure?.status == 404 || failure?.status == 410
        doubtsLocation =
            failure != nil && (failure?.class == .permanent || failures.isMultiple(of: Self.failuresUntilDoubt))
    }

    /// Pulls the next attempt of a source that has moved forward, if the configured address would wait too long.
    ///
    /// `minimumInterval` is the minimum time until the next attempt. The attempt also waits for the end of a pause that
    /// ``location`` has asked for, because the configured address probably redirects to it.
    mutating func limitWaitForConfiguredAddress(_ minimumInterval: Duration, now: Instant) {
        guard location != nil else { return }
        let latest = configuredAttemptDue ?? now.advanced(by: Self.configuredAttemptInterval)
        nextAttempt = min(nextAttempt, max(latest, now.advanced(by: minimumInterval), notBefore ?? latest))
    }

    /// Returns whether the feed that a web page at the configured address announces may be fetched.
    ///
    /// This is allowed before the first content. Later, it is allowed only if such an announcement has led to the
    /// source's present address, and ``mayLookForFeed`` is true. An address that has delivered a feed itself is never
    /// treated as a page.
    func mayFollowPages(atConfiguredAddress isConfigured: Bool) -> Bool {
        isConfigured && (!hasBeenRead || isAnnounced && mayLookForFeed)
    }
}
