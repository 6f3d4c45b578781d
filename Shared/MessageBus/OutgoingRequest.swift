// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

package import Foundation
package import WidgetSchema

/// A request that waits for its answer.
package struct OutgoingRequest: Sendable {
    package let id: RequestID
    package let target: RequestTarget
    /// The third frame, the same in each retry.
    package let json: Data
    package let deadline: ContinuousClock.Instant
    /// A Boolean value that indicates whether to repeat the request if no service was there.
    package let waitsForService: Bool
    /// The error at the deadline: the last reason, if there was one.
    package var failure: RequestError?
    /// When to send it next, while connected.
    package var due: ContinuousClock.Instant
    /// The total time that the requester waits, for the message at the deadline.
    package let patience: Duration

    package init(
        id: RequestID,
        target: RequestTarget,
        json: Data,
        now: ContinuousClock.Instant,
        patience: Duration,
        waitsForService: Bool
    ) {
        self.id = id
        self.target = target
        self.json = json
        deadline = now + patience
        self.waitsForService = waitsForService
        due = now
        self.patience = patience
    }

    var frames: [Data] { [Data(target.description.utf8), Data(id.rawValue.utf8), json] }
}
