// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import MessageBus
public import ServiceEngine

/// Translates between the bus and a core: what arrives into inputs, and effects into calls.
///
/// It decides nothing that depends on the state of the service. It is made and used on the service's thread.
public protocol ServiceAdapter: AnyObject, SendableMetatype {
    associatedtype Core: ServiceCore
    associatedtype Reader

    /// The current setup of the core, beside the stored state.
    var setup: Core.Setup { get }

    /// Returns the core's input, or nil if there is none in it. Malformed messages are counted and logged; nothing that
    /// arrives ends the service.
    func input(_ input: BusInput) -> Core.Input?

    /// Performs an effect; an answer that needs the store reads it. A failure is counted and logged: what is committed
    /// reaches consumers by heads and replays.
    func perform(_ effect: Core.Effect, reading: Reader)

    /// Tells the requester, if there is one, that nothing can be written now.
    func refuse(_ input: Core.Input)

    /// A batch was discarded: forgets what belongs to its core. Called after its inputs were refused; other requesters
    /// ask again.
    func discarded()

    /// The last call: closes what is open.
    func finish()
}

extension ServiceAdapter {
    public func discarded() {}
    public func finish() {}
}
