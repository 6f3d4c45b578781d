// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The part of a service that decides: a value without clock, socket, disk, thread or random source.
///
/// The engine loads a core from the store, feeds it batches of inputs, and discards it after a commit that failed or
/// whose result is unknown.
public protocol ServiceCore: SendableMetatype {
    /// The state in the store, from which a core is created.
    associatedtype State
    /// The values that a core needs besides the state: the latest configuration and a nonce of the process.
    associatedtype Setup
    associatedtype Input
    associatedtype Write
    associatedtype Effect
    /// A computation that the core requests; `Never` if the core requests no computations.
    ///
    /// The worker pool runs all computations that a batch requests, before the writes of the batch are committed.
    associatedtype Work
    /// The result of a computation.
    associatedtype Done

    /// The decisions of the core about one input.
    typealias Decisions = Step<Write, Work, Effect>

    /// Creates a core from the state in the store.
    ///
    /// `load` is a number that differs for each core of a process, so that identifiers that contain it are unique.
    init(_ state: State, setup: Setup, load: UInt64)

    /// Publishes the last event of each stream again, because it may have been committed but not published.
    ///
    /// This is the first call for each core.
    mutating func start(now: ClockReading) -> Decisions
    mutating func handle(_ input: Input, now: ClockReading) -> Decisions
    /// Handles the results of the computations that the core has requested.
    ///
    /// `done` contains one result for each computation that was requested since the previous call of `finish`, in the
    /// order of the requests. The returned decisions can request further computations.
    mutating func finish(_ done: [Done], now: ClockReading) -> Decisions
    /// Makes the last decisions of a batch.
    ///
    /// This is the last call of each batch; the batch is empty if only a deadline passed.
    mutating func endBatch(now: ClockReading) -> Decisions
    /// Tells the core that the wall clock was set forward (`change` is positive) or back (`change` is negative).
    mutating func clockChanged(by change: Duration, now: ClockReading) -> Decisions
    /// Tells the core that the process is stopping, so that the core begins no new work.
    mutating func stop(now: ClockReading) -> Decisions

    /// Returns the answer to an input that needs no write; nil if the input must be rejected.
    ///
    /// The engine calls this function only while writes are paused after a failure of the store.
    mutating func read(_ input: Input) -> Effect?

    /// A Boolean value that indicates whether the core has completed its work after a call of `stop`.
    var isFinished: Bool { get }
    var nextDeadline: Deadline? { get }
    /// The maximum number of inputs of one batch.
    static var batchLimit: Int { get }
}

extension ServiceCore {
    public mutating func clockChanged(by change: Duration, now: ClockReading) -> Decisions { Decisions() }
    public mutating func stop(now: ClockReading) -> Decisions { Decisions() }
    public mutating func read(_ input: Input) -> Effect? { nil }
    public var isFinished: Bool { true }
    public static var batchLimit: Int { 512 }
}

extension ServiceCore where Work == Never, Done == Never {
    public mutating func finish(_ done: [Never], now: ClockReading) -> Decisions { Decisions() }
}
