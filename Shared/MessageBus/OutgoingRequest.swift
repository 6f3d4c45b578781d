// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

package import Foundation
package import WidgetSchema

/// A request that is waiting for its answer.
package struct OutgoingRequest: Sendable {
    package let id: RequestID
    package let target: RequestTarget
    /// The request's JSON, which is the third frame of the message and the same in each retry.
    package let json: Data
    package let deadline: ContinuousClock.Instant
    /// A Boolean value that indicates whether to retry while no instance of the service is live.
    package let waitsForService: Bool
    /// The last error after which the request was scheduled for a retry; nil if there was none.
    ///
    /// If the deadline passes, the requester gets this error instead of `timedOut`.
    package var failure: RequestError?
    /// The time of the next attempt, provided that there is a connection.
    package var due: ContinuousClock.Instant
    /// The time from the creation of the request to `deadline`, which includes all retries.
    ///
    /// The text of the error `timedOut` contains this duration.
    package let timeout: Duration

    package init(
        id: RequestID,
        target: RequestTarget,
        json: Data,
        now: ContinuousClock.Instant,
        timeout: Duration,
        waitsForService: Bool
    ) {
        self.id = id
        self.target = target
        self.json = json
        deadline = now + timeout
        self.waitsForService = waitsForService
        due = now
        self.timeout = timeout
    }

    var frames: [Data] { [Data(target.description.utf8), Data(id.rawValue.utf8), json] }
}
