// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The store for the durable state of a service.
///
/// Only the engine's thread uses the store.
public protocol ServiceStore: SendableMetatype {
    associatedtype State
    associatedtype Write
    /// The interface through which effects read data that a core does not hold, such as history and contents.
    associatedtype Reader

    var reader: Reader { get }

    /// The ownership of the store by this process; nil for a store without owners, such as `NoStore`.
    var ownership: Ownership? { get }

    /// A Boolean value that indicates whether a failover of the store's server may lose commits.
    var failoverMayLoseCommits: Bool { get }

    /// Returns the stored state.
    ///
    /// Throws `StoreFailure.takenOver` if the store no longer belongs to this process.
    func load() throws(StoreFailure) -> State

    /// Commits the writes of a batch in one transaction, which is durable when this function returns.
    ///
    /// Checks ownership even for an empty batch: a process whose store was taken over must neither publish nor answer.
    /// If the function throws `StoreFailure.discard`, the writes may or may not be in the store.
    func commit(_ writes: [Write]) throws(StoreFailure)

    /// Tells the store that writes are paused (`paused` is true), or that the pause has ended (`paused` is false).
    ///
    /// While writes are paused, a transaction does not wait for locks. Read-only requests are therefore answered soon.
    func setPaused(_ paused: Bool)

    /// Performs maintenance that is not part of a batch, such as a checkpoint.
    func maintain()

    /// Closes the store.
    ///
    /// This is the last call.
    func close()
}

/// An error of a store.
public protocol StoreProblem: Error {
    /// A Boolean value that indicates whether the store may be usable at the next attempt: it is full, locked, damaged or not
    /// reached, and not of a newer version or at a wrong path.
    var mayPass: Bool { get }
}

extension ServiceStore {
    public var ownership: Ownership? { nil }
    public var failoverMayLoseCommits: Bool { false }
    public func maintain() {}
    public func close() {}
}

/// The reason why a store could not load or commit.
public enum StoreFailure: Error {
    /// Another process owns the store, or the file of the store was replaced.
    ///
    /// This process must exit without performing another effect. The associated value is the error of the store.
    case takenOver(any Error)
    /// The load or the commit failed, or the result of the commit is unknown.
    ///
    /// The engine must discard the core and the effects of the current batch. The associated value is the error of the
    /// store.
    case discard(any Error)

    public var reason: any Error {
        switch self {
        case .takenOver(let reason), .discard(let reason): reason
        }
    }
}

/// The error that is thrown when the store belongs to another process, with the reason that the store gives.
public struct TakenOver: Error, CustomStringConvertible {
    public let reason: any Error

    public init(reason: any Error) { self.reason = reason }

    public var description: String { "\(reason)" }
}
