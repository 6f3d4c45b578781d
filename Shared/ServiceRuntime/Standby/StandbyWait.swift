// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import Configuration
public import MessageBus
import Telemetry
import WidgetSchema

/// The wait of a standby until its service's store is free.
///
/// The waiting standby reads and drops all messages, so that its inbox does not fill up. When the standby becomes
/// active, it requests the messages that it has missed.
public struct StandbyWait {
    /// The interval at which a standby checks whether it may take over the store.
    static let lookInterval: Duration = .milliseconds(250)

    private let context: ServiceContext
    private let client: BusClient
    private let settings: StandbySettings
    private let needsSecrets: NeededSecrets

    /// Creates a wait.
    ///
    /// `needsSecrets` must equal `ServiceProgram.needsSecrets` of the service.
    public init(
        _ context: ServiceContext,
        _ client: BusClient,
        _ settings: StandbySettings,
        needsSecrets: NeededSecrets = []
    ) {
        self.context = context
        self.client = client
        self.settings = settings
        self.needsSecrets = needsSecrets
    }

    /// Opens the store and returns it; a standby first waits until the store is free.
    ///
    /// The process is a standby if `StandbySettings.waits` is true. `isFree` returns true if this process may take over
    /// the store, and `open` opens the store. If one of these closures throws during the wait, the error is reported
    /// and the wait continues. Throws `StandbyStopped` if the process is stopped during the wait.
    ///
    /// If the process is not a standby, `isFree` is not called, and an error of `open` is thrown.
    public func open<Store>(isFree: () throws -> Bool, _ open: () throws -> Store) throws -> Store {
        guard settings.waits else { return try open() }
        context.log.notice("Waiting as a standby.")
        var nextLook = ContinuousClock.now
        var failure: String?
        var registration = RegistrationWatch(context)
        while true {
            for input in client.nextBatch(until: nextLook) {
                registration.note(input)
                try note(input)
            }
            if context.stop.isStopped { throw StandbyStopped() }
            guard .now >= nextLook else { continue }
            nextLook = .now + Self.lookInterval
            do {
                if try isFree() {
                    let store = try open()
                    if failure != nil { client.setHealth(.ready) }
                    context.log.notice("Took over the store.")
                    return store
                }
                if failure != nil { client.setHealth(.ready) }
                failure = nil
            } catch {
                let reason = "\(error)"
                if failure != reason {
                    context.log.warning("The store cannot be taken over; the standby continues to wait.", error: error)
                    client.setHealth(.degraded, message: "The store cannot be taken over: \(reason)")
                }
                failure = reason
            }
        }
    }

    private func note(_ input: BusInput) throws {
        switch input {
        case .ready:
            client.setHealth(.ready)
            context.announceReady(["role": Health.Role.standby.rawValue])
        case .posted(let value) where !(value is StopRequested):
            // The input means that the configuration has changed. The active instance compares the digest with its own.
            guard context.configurationDigest.value != nil else { return }
            context.configurationDigest.set(context.reloaded(needsSecrets: needsSecrets).settings.digest)
            client.setRole(InstanceRole(.standby, configurationDigest: context.configurationDigest.value))
        case .stopped(let error):
            if let error { throw error }
            throw StandbyStopped()
        default: break
        }
    }
}

/// The error that ends the wait of a standby whose process stops.
struct StandbyStopped: Error {}
