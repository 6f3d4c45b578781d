// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import MessageBus
import ServiceRuntime
import Telemetry
import WidgetSchema

/// A client that sends the actions of the demo's app and user to a bus.
///
/// It must be used by only one thread.
struct DemoPlayer {
    private var app = DemoApp(start: .now)
    private var counter = UInt64(max(Instant.now.milliseconds, 0))
    private let log: Logger

    init(log: Logger) { self.log = log }

    /// The time of the next action.
    var next: ContinuousClock.Instant { app.next }

    /// Sends actions until `stop` is triggered; waits while the bus is unreachable.
    static func run(on bus: BusAddresses, until stop: StopSignal, log: Logger) throws {
        var player = DemoPlayer(log: log)
        while !stop.isStopped {
            let session: BusSession
            do {
                session = try BusSession(bus)
            } catch let failure as CommandFailure where failure.status == .unreachable {
                log.debug("The simulated app of the demo is waiting for the bus.", error: failure)
                continue
            }
            defer { session.close() }
            let registration = stop.onStop(session.end)
            defer { registration.cancel() }
            while true {
                switch session.next(until: player.next) {
                case .ended: return
                case .message, .resubscribed: continue
                case nil: player.play(on: session)
                }
            }
        }
    }

    /// Performs the next action.
    ///
    /// If the request fails, the failure is logged and the action is skipped.
    mutating func play(on session: BusSession) {
        counter += 1
        do throws(CommandFailure) {
            switch app.play(at: .now, date: .now) {
            case .opens(let documents):
                guard let widget = WidgetID(rawValue: DemoText.documents) else { return }
                let content = Content.documents(documents)
                _ = try session.ask(
                    RequestTarget(.cache),
                    PushRequest(client: DemoApp.client, counter: counter, widget: widget, content: content)
                )
            case .tapsForTheNextFact:
                guard let widget = WidgetID(rawValue: DemoText.place) else { return }
                _ = try session.ask(
                    RequestTarget(.cache),
                    CommandRequest(client: DemoApp.client, counter: counter, widget: widget, command: .nextValue)
                )
            }
        } catch {
            log.debug("An action of the simulated app of the demo failed.", error: error)
        }
    }
}
