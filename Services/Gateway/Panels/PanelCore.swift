// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Cryptography
import ServiceEngine
import WebServer
import WidgetSchema

/// The settings with which the core of the panels is created.
struct PanelSetup: Sendable {
    /// The panels of the configuration.
    var panels: [SleepingPanel] = []
}

/// An input of the core, with its time: the engine reads without a clock while the disk fails.
struct PanelInput: Sendable {
    enum Body: Sendable {
        /// The configuration changed.
        case configured([SleepingPanel])
        /// A panel asks for its picture; the answer is its standing.
        case identify(PanelHello)
        /// A panel has no key. `keyHash` is the hash of a new random key.
        case setup(PanelHello, keyHash: String)
        /// A panel asks for its picture, which is `picture`; nil if there is none now.
        case display(PanelHello, picture: PanelPicture?, changes: BoardChanges)
        /// A panel requests the bytes of the picture in its last answer.
        case download(key: String, name: PictureName, signature: String)
        /// A client without an id, or one with its own protocol, requests the picture of its board.
        case wake(PanelName, changes: BoardChanges)
        /// A panel sends its log.
        case log(PanelHello)
        case request(PanelsRequest)
        /// The gateway asks for the next wakes of all panels.
        case wakes
    }

    var at: Instant
    var body: Body
}

extension PanelInput.Body {
    /// A Boolean value that indicates whether the input may change the next wake of a panel.
    var changesWakes: Bool {
        switch self {
        case .configured, .display, .wake: true
        case .request(let request): request.action == .forget || request.action == .sleep
        case .identify, .setup, .download, .log, .wakes: false
        }
    }
}

/// The answer to an input; each input has exactly one.
enum PanelEffect: Sendable {
    case done
    case standing(PanelStanding)
    /// The panel gets the key whose hash was in the input; it has told this size earlier, or none.
    case paired(width: Int?, height: Int?)
    case notPaired
    case display(PanelDisplay)
    /// The digest of the picture whose bytes are requested; nil if the panel was not told to request them.
    case picture(ContentDigest?)
    /// The sleep until the next wake, in seconds.
    case sleep(Int64)
    /// A Boolean value that indicates whether a log comes from a panel with a key.
    case isKnown(Bool)
    case report(PanelReport)
    case wakes([PanelWakeTime])
    case refused(RequestError)
}

/// The next wake of a panel that then shows the current picture of its board.
struct PanelWakeTime: Hashable, Sendable {
    var board: BoardID
    /// The time before which the panel does not wake by itself.
    var earliest: Instant
}

/// The kind of picture that a panel gets.
enum PanelStanding: Hashable, Sendable {
    /// The picture of its board.
    case board(SleepingPanel)
    /// The picture that it shows already, because it was told to sleep.
    case keeps
    /// A picture that says what to do.
    case notice(PanelNotice.Kind)
}

/// The answer to a panel that asks for its picture.
struct PanelDisplay: Hashable, Sendable {
    var name: PictureName
    var sleepSeconds: Int64
    /// The key of the panel's record, and the signature of its picture's address; nil for a notice that is not stored.
    var owner: Owner?
    /// The notice that a panel without a valid key or without any picture gets; nil if ``owner`` is not.
    var notice: PanelNotice.Kind?

    struct Owner: Hashable, Sendable {
        var key: String
        var signature: String
    }
}

/// A change of the store.
enum PanelWrite: Sendable {
    /// Replaces a record; with the bytes of the picture if it is a new one.
    case record(PanelRecord, png: SharedBytes?)
    case remove(key: String)
    case pairing(PanelReport.Pairing?)
}

/// The stored state of all panels.
struct PanelState: Sendable {
    var records: [String: PanelRecord] = [:]
    var pairing: PanelReport.Pairing?
}

/// The core of the panels: it decides who gets a key, which picture a panel shows under which name, and how long it sleeps.
///
/// Its rules come from the firmware's behaviour (usetrmnl/trmnl-firmware 1.8.15), which `docs/panels.md` describes.
struct PanelCore: ServiceCore {
    typealias Setup = PanelSetup
    typealias State = PanelState
    typealias Input = PanelInput
    typealias Write = PanelWrite
    typealias Effect = PanelEffect
    typealias Work = Never
    typealias Done = Never

    /// The maximum number of panels with a record.
    static let maximumRecords = 2 * SleepingPanel.maximumPanels
    /// The maximum number of refused panels that are remembered.
    static let maximumStrangers = 32

    var state: PanelState
    var strangers: [PanelID: PanelReport.Stranger] = [:]
    private(set) var panels: [SleepingPanel] = []
    private(set) var panelsByID: [PanelID: SleepingPanel] = [:]
    private(set) var panelsByName: [PanelName: SleepingPanel] = [:]

    init(_ state: PanelState, setup: PanelSetup, load: UInt64) {
        self.state = state
        configure(setup.panels)
    }

    private mutating func configure(_ panels: [SleepingPanel]) {
        self.panels = panels
        panelsByName = Dictionary(panels.map { ($0.name, $0) }) { first, _ in first }
        panelsByID = Dictionary(panels.compactMap { panel in panel.id.map { ($0, panel) } }) { first, _ in first }
    }

    mutating func start(now: ClockReading) -> Decisions { Step() }
    mutating func endBatch(now: ClockReading) -> Decisions { Step() }
    var nextDeadline: Deadline? { nil }

    mutating func handle(_ input: PanelInput, now: ClockReading) -> Decisions {
        var step = decide(input)
        // A window that is over is removed, so that it does not open again if the clock is set back.
        if !step.writes.isEmpty, state.pairing != nil, pairing(at: input.at) == nil { step += closePairing() }
        return step
    }

    private mutating func decide(_ input: PanelInput) -> Decisions {
        let now = input.at
        switch input.body {
        case .configured(let panels):
            configure(panels)
            return Step(effects: [.done])
        case .identify(let hello): return Step(effects: [.standing(standing(of: hello, at: now))])
        case .setup(let hello, let keyHash): return setup(hello, keyHash: keyHash, at: now)
        case .display(let hello, let picture, let changes): return display(hello, picture, changes, at: now)
        case .download(let key, let name, let signature):
            return download(key: key, name: name, signature: signature, at: now)
        case .wake(let name, let changes): return wake(name, changes, at: now)
        case .log(let hello): return Step(effects: [.isKnown(isKnown(hello))])
        case .request(let request): return answer(request, at: now)
        case .wakes: return Step(effects: [.wakes(wakeTimes)])
        }
    }

    /// Answers from the stored state while the disk fails; it does not change, so panels keep the pictures that they show.
    mutating func read(_ input: PanelInput) -> PanelEffect? {
        let stored = state
        defer { state = stored }
        var input = input
        switch input.body {
        case .configured, .identify, .log, .download, .wake, .wakes: break
        case .display(let hello, _, let changes):
            // A picture that is not stored could not be loaded; those of refused panels are never stored.
            if isKnown(hello) || isAdopted(hello, at: input.at) {
                input.body = .display(hello, picture: nil, changes: changes)
            }
        case .request(let request):
            guard request.action == .list else { return nil }
        case .setup: return nil
        }
        return decide(input).effects.first
    }

    // MARK: Who is it?

    /// Returns whether a panel sends the key of its record.
    func isKnown(_ hello: PanelHello) -> Bool {
        guard let stored = state.records[hello.id.rawValue]?.keyHash, let sent = hello.keyHash else { return false }
        return SHA256.areEqual(stored, sent)
    }

    /// Returns whether a panel may get a key now, or keep that of another server.
    ///
    /// Ids are public, so this needs an open window. A panel whose key works can only be paired again by its id.
    func mayPair(_ id: PanelID, at now: Instant) -> Bool {
        guard let pairing = pairing(at: now) else { return false }
        let record = state.records[id.rawValue]
        guard record != nil || state.records.count < Self.maximumRecords else { return false }
        if let panel = pairing.panel { return panel == id }
        return panelsByID[id] != nil && (record?.keyHash == nil || record?.hasUsedKey == false)
    }

    /// Returns the pairing window; nil if it is closed.
    ///
    /// A window that ends later than a new one could is an old one, and the clock was set back.
    func pairing(at now: Instant) -> PanelReport.Pairing? {
        let longest = Duration.seconds(60 * Int64(PanelsRequest.pairingMinutes.upperBound))
        return state.pairing.flatMap { now < $0.until && $0.until <= now.advanced(by: longest) ? $0 : nil }
    }

    mutating func closePairing() -> Decisions {
        state.pairing = nil
        return Step(writes: [.pairing(nil)])
    }

    /// Returns whether a panel has a key of another server that it may keep.
    func isAdopted(_ hello: PanelHello, at now: Instant) -> Bool { hello.keyHash != nil && mayPair(hello.id, at: now) }

    func standing(of hello: PanelHello, at now: Instant) -> PanelStanding {
        let record = state.records[hello.id.rawValue]
        guard isKnown(hello) || isAdopted(hello, at: now) else {
            if record?.keyHash != nil { return .notice(.wrongKey) }
            return .notice(panelsByID[hello.id] == nil ? .unknown : .unpaired)
        }
        if let record, record.shown != nil, isAsleep(record, at: now) { return .keeps }
        return panelsByID[hello.id].map { .board($0) } ?? .notice(.noBoard)
    }

    func isAsleep(_ record: PanelRecord, at now: Instant) -> Bool { record.sleepUntil.map { now < $0 } ?? false }

    private mutating func setup(_ hello: PanelHello, keyHash: String, at now: Instant) -> Decisions {
        guard mayPair(hello.id, at: now) else {
            remember(hello.id, state.records[hello.id.rawValue]?.keyHash == nil ? .unpaired : .wrongKey, at: now)
            return Step(effects: [.notPaired])
        }
        var record = state.records[hello.id.rawValue] ?? PanelRecord(id: hello.id)
        (record.keyHash, record.hasUsedKey) = (keyHash, false)
        record.take(hello)
        return keep(record, effect: .paired(width: record.width, height: record.height))
    }

    /// Remembers a panel that was refused.
    mutating func remember(_ id: PanelID, _ kind: PanelNotice.Kind, at now: Instant) {
        if strangers[id] == nil, strangers.count >= Self.maximumStrangers,
            let oldest = strangers.values.min(by: { ($0.lastSeen, $0.id) < ($1.lastSeen, $1.id) })
        {
            strangers[oldest.id] = nil
        }
        strangers[id] = PanelReport.Stranger(id: id, reason: kind.rawValue, lastSeen: now)
    }

    /// Stores a record, with the bytes of its picture if that is a new one.
    mutating func keep(_ record: PanelRecord, png: SharedBytes? = nil, effect: PanelEffect) -> Decisions {
        state.records[record.key] = record
        if let id = record.id { strangers[id] = nil }
        return Step(writes: [.record(record, png: png)], effects: [effect])
    }
}
