// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import MessageBus
public import ServiceEngine

/// The translation between the bus and a core: it converts arriving messages to inputs, and effects to calls.
///
/// It makes no decision that depends on the state of the service. It is created and used on the service's thread.
public protocol ServiceAdapter: AnyObject, SendableMetatype {
    associatedtype Core: ServiceCore
    associatedtype Reader

    /// The current values that a core needs besides the stored state.
    var setup: Core.Setup { get }

    /// Returns the core's input for an input from the bus; nil if the core does not need it.
    ///
    /// Malformed messages are counted and logged; no message may end the service.
    func input(_ input: BusInput) -> Core.Input?

    /// Performs an effect, which may read the store.
    ///
    /// A failure is counted and logged; consumers get committed data by heads and replays.
    func perform(_ effect: Core.Effect, reading: Reader)

    /// Tells the requester, if there is one, that writes are not possible at present.
    func refuse(_ input: Core.Input)

    /// Removes everything that belongs to the core of a discarded batch.
    ///
    /// Called after its inputs were refused; other requesters retry.
    func discarded()

    /// Closes all open resources.
    ///
    /// This is the last call.
    func finish()
}

extension ServiceAdapter {
    public func discarded() {}
    public func finish() {}
}
