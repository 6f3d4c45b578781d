// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The worker pool that runs the computations of a batch.
public protocol Workers: SendableMetatype {
    associatedtype Work
    associatedtype Done

    /// Returns the results in the order of the work; blocks until all of it is done.
    func run(_ work: [Work]) -> [Done]
}

/// The workers of a service whose core requests no work.
public struct NoWorkers: Workers {
    public init() {}

    public func run(_ work: [Never]) -> [Never] { [] }
}
