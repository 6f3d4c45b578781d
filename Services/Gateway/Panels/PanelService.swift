// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Dispatch
import Foundation
import Locking
import ServiceEngine
import ServiceRuntime
import Telemetry
import WebServer
import WidgetSchema

/// The panels of a gateway: their core and their store, which HTTP requests and requests on the bus share.
///
/// Panels ask seldom, so one lock serialises their requests; each that changes something waits for the disk.
final class PanelService: Sendable {
    private struct State {
        var engine: Engine<PanelCore, PanelStore, NoWorkers>
        /// The setup of a core that is created later.
        var setup: PanelSetup
    }

    /// The queue of what may wait for the disk, so that neither Swift's threads nor those of HTTP and the bus do.
    let queue = DispatchQueue(label: "panels")
    private let state: Lock<State>
    private let store: PanelStore
    private let log: Logger
    /// A Boolean value that indicates whether the wakes of panels may have changed since ``changedWakes(at:)``.
    private let haveWakesChanged = Lock(true)
    /// Sentences about boards that are drawn with fewer levels, by the names of the boards.
    private let reducedBoards = Lock<[BoardID: String]>([:])
    private let latest = Lock<PanelReport?>(nil)

    /// Creates the panels of a gateway; `folder` is nil if nothing is stored.
    init(folder: String? = nil, panels: [SleepingPanel] = [], log: Logger = .discarded) {
        let store = PanelStore(folder: folder, log: log)
        self.store = store
        self.log = log
        state = Lock(State(engine: Engine(store: store, pool: NoWorkers()), setup: PanelSetup(panels: panels)))
    }

    /// Applies the panels of a changed configuration.
    func configure(_ panels: [SleepingPanel]) {
        state.withLock { $0.setup.panels = panels }
        _ = answer(.configured(panels))
    }

    /// Returns the answer to an input; blocks until everything that it changes is stored.
    func answer(_ body: PanelInput.Body, at now: Instant = .now) -> PanelEffect {
        let input = PanelInput(at: now, body: body)
        let (output, problem, isAnswered) = state.withLock { state -> (PanelEffect, String?, Bool) in
            // Another gateway may have written meanwhile, so nothing of the former state counts.
            if store.refresh(locks: locks(body, at: now)) { state.engine = Engine(store: store, pool: NoWorkers()) }
            do throws(TakenOver) {
                let reading = ClockReading(wall: now, monotonic: .now)
                switch try state.engine.process([input], setup: state.setup, now: reading) {
                case .perform(let effects): return (effects.last ?? .done, nil, true)
                case .paused(let effects, _):
                    let problem = state.engine.pauseReason.map { "\($0)" } ?? "The store fails."
                    let refusal = PanelEffect.refused(RequestError(.unavailable, problem))
                    return (effects.last ?? refusal, problem, !effects.isEmpty)
                }
            } catch {
                return (.refused(RequestError(.unavailable, error.description)), error.description, false)
            }
        }
        if let problem, isAnswered {
            log.warning("The panels cannot be stored; they keep their pictures.", [.reason: problem])
        } else if let problem {
            log.warning("The panels cannot be stored; a request was refused.", [.reason: problem])
        }
        if body.changesWakes { haveWakesChanged.withLock { $0 = true } }
        return output
    }

    /// Returns the answer to an input, as ``answer(_:at:)`` does, without blocking the calling task's thread.
    func storedAnswer(_ body: PanelInput.Body, at now: Instant = .now) async -> PanelEffect {
        await onQueue { $0.answer(body, at: now) }
    }

    /// Calls `body` on ``queue``, and returns its result.
    func onQueue<Result: Sendable>(_ body: @escaping @Sendable (PanelService) -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: body(self)) }
        }
    }

    /// Returns whether an input needs the folder for itself: one of a panel with a key, or one that changes the store.
    private func locks(_ body: PanelInput.Body, at now: Instant) -> Bool {
        switch body {
        case .display(let headers, _, _): store.isKnown(headers) || store.isPairing(at: now)
        case .setup: store.isPairing(at: now)
        case .wake: true
        case .request(let request): request.action != .list
        case .configured, .identify, .download, .log, .wakes: false
        }
    }

    /// Returns whether a panel sends its key; does not wait for the disk.
    func isKnown(_ headers: PanelHeaders) -> Bool { store.isKnown(headers) }

    /// Returns the next wakes of all panels, if they may have changed since the last call; nil otherwise.
    func changedWakes(at now: Instant = .now) -> [PanelWakeTime]? {
        guard haveWakesChanged.withLock({ $0 }) else { return nil }
        // Before the wakes are read, so that a change meanwhile is not lost.
        haveWakesChanged.withLock { $0 = false }
        guard case .wakes(let wakes) = answer(.wakes, at: now) else {
            haveWakesChanged.withLock { $0 = true }
            return nil
        }
        return wakes
    }

    /// Returns the bytes of the picture that a panel shows; nil if they are not those of the digest.
    func picture(of key: String, _ digest: ContentDigest) -> SharedBytes? { store.picture(of: key, digest) }

    /// Returns the picture that a panel was told to show last; nil if there is none.
    func shownPicture(of id: PanelID) -> SharedBytes? { store.shownPicture(of: id.rawValue) }

    // MARK: Attention

    /// Sets the sentence about a board that is drawn with fewer levels than configured; nil if it is not.
    func set(reduced sentence: String?, of board: BoardID) { reducedBoards.withLock { $0[board] = sentence } }

    /// The last report, which is read without waiting for the disk; nil before the first one.
    var lastReport: PanelReport? { latest.withLock { $0 } }

    /// Returns the panels with all warnings; nil if the store cannot be read.
    func report(at now: Instant = .now) -> PanelReport? {
        guard case .report(var report) = answer(.request(PanelsRequest(action: .list)), at: now) else { return nil }
        let reduced = reducedBoards.withLock { $0 }
        for index in report.panels.indices {
            if let sentence = report.panels[index].board.flatMap({ reduced[$0] }) {
                report.panels[index].warnings.append(sentence)
            }
        }
        latest.withLock { $0 = report }
        return report
    }
}

extension PanelReport {
    /// The maximum number of panels that ``attention`` names.
    private static let namedPanels = 3

    /// A sentence about the panels that need attention, for the gateway's health; nil if none does.
    var attention: String? {
        let needy = panels.filter { !$0.warnings.isEmpty }
        guard !needy.isEmpty else { return nil }
        let named = needy.prefix(Self.namedPanels).map { entry in
            let name = entry.name?.rawValue ?? entry.id?.rawValue ?? "?"
            return "Panel '\(name)': \(entry.warnings.joined(separator: " "))"
        }
        let rest = needy.count - named.count
        return named.joined(separator: " ") + (rest > 0 ? " \(rest) more need attention." : "")
    }
}
