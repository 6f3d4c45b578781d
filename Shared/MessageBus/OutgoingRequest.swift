// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

package import Foundation
package import WidgetSchema

/// A request that is waiting for its answer.
package struct OutgoingRequest: Sendable {
    package let id: RequestID
    package let target: RequestTarget
    /// The third frame, the same in each retry.
    package let json: Data
    package let deadline: ContinuousClock.Instant
    /// A Boolean value that indicates whether to retry while no instance of the service is live.
    package let waitsForService: Bool
    /// The error to report at the deadline: the last error answer, if there was one.
    package var failure: RequestError?
    /// The time of the next attempt, provided that there is a connection.
    package var due: ContinuousClock.Instant
    /// The requester's total timeout, for the error at the deadline.
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
