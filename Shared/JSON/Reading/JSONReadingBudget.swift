// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A limit on the work of reading one document.
///
/// Readers add the bytes and values that they visit, and stop when the budget is exhausted.
public protocol JSONReadingBudget: AnyObject, Sendable {
    /// A Boolean value that indicates whether readers must stop.
    var isExhausted: Bool { get }

    /// Adds steps to the work done so far; a step is one visited byte or value.
    func add(_ steps: Int)
}

/// A counter that reports the steps of one reader to the budget in batches, because each report is a dynamic call.
struct StepCounter {
    private static let stepsPerReport = 256

    private let budget: (any JSONReadingBudget)?
    private var pending = 0
    /// A Boolean value that indicates whether the budget was exhausted at the last report.
    private(set) var isExhausted = false

    init(_ budget: (any JSONReadingBudget)?) { self.budget = budget }

    @inline(__always)
    mutating func add(_ steps: Int) {
        pending &+= steps
        if pending >= Self.stepsPerReport { report() }
    }

    /// Reports the pending steps to the budget.
    mutating func report() {
        guard let budget else {
            pending = 0
            return
        }
        budget.add(pending)
        pending = 0
        isExhausted = budget.isExhausted
    }
}
