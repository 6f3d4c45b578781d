// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The worker pool that runs the computations of a batch.
public protocol Workers: SendableMetatype {
    associatedtype Work
    associatedtype Done

    /// Runs the computations and returns their results in the same order; blocks until all computations are complete.
    func run(_ work: [Work]) -> [Done]
}

/// The workers of a service whose core requests no work.
public struct NoWorkers: Workers {
    public init() {}

    public func run(_ work: [Never]) -> [Never] { [] }
}
