// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The durable state of a service, used by the engine's thread alone.
public protocol ServiceStore: SendableMetatype {
    associatedtype State
    associatedtype Write
    /// The reader of effects: history and contents that a core does not hold.
    associatedtype Reader

    var reader: Reader { get }

    /// Reads the state. Throws `StoreFailure.takenOver` if the store no longer belongs to this process.
    func load() throws(StoreFailure) -> State

    /// Writes a batch in one transaction; it is durable when this returns.
    ///
    /// Checks ownership even for an empty batch: a process that was taken over must neither publish nor answer. After
    /// `StoreFailure.discard` nothing may be assumed about the writes, neither that they are there nor that they are not.
    func commit(_ writes: [Write]) throws(StoreFailure)

    /// Tells that writes failed, or that they succeed again. While paused, a write does not wait for locks, so that
    /// readers get their answers.
    func setPaused(_ paused: Bool)

    /// Does what need not be done within a batch, such as a checkpoint.
    func maintain()

    /// The last call.
    func close()
}

extension ServiceStore {
    public func maintain() {}
    public func close() {}
}

/// The reason why a store did not load or commit.
public enum StoreFailure: Error {
    /// Another process owns the store, or another file lies in its place. This process must end without another effect.
    case takenOver(any Error)
    /// Nothing is known about the writes. The core and the rest of the batch must be discarded.
    case discard(any Error)

    public var reason: any Error {
        switch self {
        case .takenOver(let reason), .discard(let reason): reason
        }
    }
}

/// The store belongs to another process, with the store's description of how that was noticed.
public struct TakenOver: Error, CustomStringConvertible {
    public let reason: any Error

    public init(reason: any Error) { self.reason = reason }

    public var description: String { "\(reason)" }
}
