// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import WidgetSchema

/// The role of a registered instance, as its heartbeats report it.
public struct InstanceRole: Hashable, Sendable {
    /// A problem with the other instances of the service.
    ///
    /// This instance includes the problem in its own health reports.
    public struct Problem: Hashable, Sendable {
        public var message: String
        /// A Boolean value that indicates whether the instance reports the state `degraded` because of the problem.
        public var isAlarm: Bool

        public init(_ message: String, isAlarm: Bool) {
            self.message = message
            self.isAlarm = isAlarm
        }
    }

    public var role: Health.Role
    public var term: Term?
    /// The time at which the instance became active; nil for a standby.
    public var since: Instant?
    /// The time until which the instance counts as active; nil if there is no limit.
    public var trustedUntil: ContinuousClock.Instant?
    public var configurationDigest: ContentDigest?
    public var problem: Problem?

    public init(
        _ role: Health.Role,
        term: Term? = nil,
        since: Instant? = nil,
        trustedUntil: ContinuousClock.Instant? = nil,
        configurationDigest: ContentDigest? = nil,
        problem: Problem? = nil
    ) {
        self.role = role
        self.term = term
        self.since = since
        self.trustedUntil = trustedUntil
        self.configurationDigest = configurationDigest
        self.problem = problem
    }

    /// A copy of the role in which `trustedUntil` is nil, so that a comparison ignores renewals of the lease.
    var withoutTrust: InstanceRole {
        var role = self
        role.trustedUntil = nil
        return role
    }
}

extension Health {
    /// Copies the role of the instance to this health report; does nothing if `role` is nil.
    ///
    /// If `role.trustedUntil` has passed, the health report gets the role `standby` in place of `active`.
    mutating func set(_ role: InstanceRole?, now: ContinuousClock.Instant) {
        guard let role else { return }
        let isTrusted = role.trustedUntil.map { now < $0 } ?? true
        self.role = isTrusted ? role.role : .standby
        term = role.term
        activeSince = isTrusted ? role.since : nil
        configurationDigest = role.configurationDigest
        guard let problem = role.problem else { return }
        message = [message, problem.message].compactMap(\.self).joined(separator: "; ")
        if problem.isAlarm, state == .ready { state = .degraded }
    }
}
