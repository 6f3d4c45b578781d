// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import WidgetSchema

/// The right of a process to act for its service, as recorded in the store.
public struct Ownership: Hashable, Sendable {
    public var term: Term
    /// The time at which the owner must renew its ownership with a commit, even if there is nothing to write.
    ///
    /// Without renewals, a standby takes over the store.
    public var renewalDue: ContinuousClock.Instant
    /// The time after which the process must confirm its ownership with the store before it performs an effect.
    public var trustedUntil: ContinuousClock.Instant

    public init(term: Term, renewalDue: ContinuousClock.Instant, trustedUntil: ContinuousClock.Instant) {
        self.term = term
        self.renewalDue = renewalDue
        self.trustedUntil = trustedUntil
    }
}
