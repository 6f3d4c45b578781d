// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import MessageBus
import Telemetry
import WidgetSchema

/// Counts and logs refused registrations of an instance, in the same way for all services.
///
/// A refusal ends no service: its reason may be temporary, so the client repeats the registration with each heartbeat.
/// Each refusal is counted as `bus.refusedRegistrations`. Only the first one is logged, until the client is ready or
/// has connected again. A standby that takes over begins with a new watch.
struct RegistrationWatch {
    private let log: Logger
    private let refusals: Counter
    private var isRefused = false

    init(_ context: ServiceContext) {
        log = context.log
        refusals = context.metrics.counter("bus.refusedRegistrations")
    }

    /// Records an input of the bus client; inputs that do not concern the registration have no effect.
    mutating func note(_ input: BusInput) {
        switch input {
        case .ready, .publisherConnected(again: true): isRefused = false
        case .registrationRefused(let error):
            refusals.increment()
            guard !isRefused else { return }
            isRefused = true
            log.error("The bus rejects this instance; the registration is retried.", [.reason: error.message])
        default: break
        }
    }
}
