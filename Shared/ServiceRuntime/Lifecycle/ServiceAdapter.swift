// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import MessageBus
public import ServiceEngine

/// An adapter that converts inputs from the bus to inputs of a core, and performs the core's effects.
///
/// An adapter makes no decision that depends on the state of the service, except that it may drop messages for other
/// instances without decoding them, as that of the layout service does. It is created and used on the service's thread.
public protocol ServiceAdapter: AnyObject, SendableMetatype {
    associatedtype Core: ServiceCore
    associatedtype Reader

    /// The current values that a core needs besides the stored state.
    var setup: Core.Setup { get }
    /// A Boolean value that indicates whether the service is ready as soon as its subscriptions are active.
    ///
    /// If the value is false, the adapter itself reports `ready` later, and writes the readiness line. The default is
    /// true.
    var isReadyWhenSubscribed: Bool { get }

    /// Returns the core's input for an input from the bus; nil if the core does not need it.
    ///
    /// Malformed messages are counted and logged; no message may end the service.
    func input(_ input: BusInput) -> Core.Input?

    /// Performs an effect, which may read the store through `reading`.
    ///
    /// A failure is counted and logged. If a consumer missed a committed message, it detects the gap later: the service
    /// also publishes the latest sequence numbers (heads). The consumer then requests a replay.
    func perform(_ effect: Core.Effect, reading: Reader)

    /// Rejects an input that could not be processed because writes are paused.
    ///
    /// If the input is a request, the requester gets an error and can retry.
    func refuse(_ input: Core.Input)

    /// Removes the adapter's state that belongs to a discarded core, such as the requests in flight.
    ///
    /// If a commit failed, `refuse` is called first for the inputs that are rejected. Requesters that get no answer
    /// retry.
    func discarded()

    /// Reports health again if there is more to say: the store can be used again, and the loop has reported `ready`.
    func resumed()

    /// Closes all open resources.
    ///
    /// This is the last call.
    func finish()
}

extension ServiceAdapter {
    public var isReadyWhenSubscribed: Bool { true }
    public func discarded() {}
    public func resumed() {}
    public func finish() {}
}
