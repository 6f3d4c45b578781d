// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// Deliberate violations of the engine's rules; tests use them to prove that such violations are detected.
package struct EngineFaults: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// Effects are performed before their writes are committed; the writes are committed with the next batch.
    package static let effectsBeforeCommit = EngineFaults(rawValue: 1)
    /// The effects of a batch whose commit failed are performed.
    package static let effectsOfFailedBatch = EngineFaults(rawValue: 1 << 1)
    /// The engine keeps the core after a commit that failed or whose result is unknown.
    package static let keptCore = EngineFaults(rawValue: 1 << 2)
    /// Writes continue after a failed commit, without a pause.
    package static let writesWhilePaused = EngineFaults(rawValue: 1 << 3)
    /// Ownership is not checked for a batch without writes, unless the process must renew its lease.
    package static let unfencedAnswers = EngineFaults(rawValue: 1 << 4)
    /// A loaded core is used without being started, so it does not publish its last events again.
    package static let noStart = EngineFaults(rawValue: 1 << 5)
    /// The deadlines of the core are ignored.
    package static let noDeadlines = EngineFaults(rawValue: 1 << 6)
    /// The engine performs effects after the time `Ownership.trustedUntil` without asking the store who owns it.
    package static let noTrustLimit = EngineFaults(rawValue: 1 << 7)
}
