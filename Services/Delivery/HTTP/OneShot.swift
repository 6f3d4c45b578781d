// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Dispatch
import Locking

/// The completion of an attempt, which is called once: with the first result, or with `unknown` after the timeout.
final class OneShot: Sendable {
    private let completion: Lock<Sender.Completion?>

    init(timeout: Duration, _ completion: @escaping Sender.Completion) {
        self.completion = Lock(completion)
        let (seconds, attoseconds) = timeout.components
        let deadline = DispatchTime.now() + .seconds(Int(seconds)) + .nanoseconds(Int(attoseconds / 1_000_000_000))
        DispatchQueue.global().asyncAfter(deadline: deadline) { [weak self] in
            self?.finish(.unknown(reason: "There was no result within \(timeout)."))
        }
    }

    /// A Boolean value that indicates whether there is no result yet.
    var isPending: Bool { completion.withLock { $0 != nil } }

    func finish(_ outcome: DeliveryOutcome) {
        let completion = completion.withLock { completion in
            defer { completion = nil }
            return completion
        }
        completion?(outcome)
    }
}
