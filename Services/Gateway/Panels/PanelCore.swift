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
        /// A panel asks for its picture; the answer is its identity.
        case identify(PanelHeaders)
        /// A panel has no key. `keyHash` is the hash of a new random key.
        case setup(PanelHeaders, keyHash: String)
        /// A panel asks for its picture, which is `picture`; nil if there is none now.
        case display(PanelHeaders, picture: PanelPicture?, changes: BoardChanges)
        /// A panel requests the bytes of the picture in its last answer.
        case download(key: String, name: PictureName, signature: String)
        /// A client without an id, or one with its own protocol, requests the picture of its board.
        case wake(PanelName, changes: BoardChanges)
        /// A panel sends its log.
        case log(PanelHeaders)
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
    case identity(PanelIdentity)
    /// The panel gets the key whose hash was in the input. The size is the one that it reported earlier; nil if it reported none.
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
enum PanelIdentity: Hashable, Sendable {
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
    static let maximumRefused = 32

    var state: PanelState
    var refused: [PanelID: PanelReport.RefusedPanel] = [:]
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
        case .identify(let headers): return Step(effects: [.identity(identity(of: headers, at: now))])
        case .setup(let headers, let keyHash): return setup(headers, keyHash: keyHash, at: now)
        case .display(let headers, let picture, let changes): return display(headers, picture, changes, at: now)
        case .download(let key, let name, let signature):
            return download(key: key, name: name, signature: signature, at: now)
        case .wake(let name, let changes): return wake(name, changes, at: now)
        case .log(let headers): return Step(effects: [.isKnown(isKnown(headers))])
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
        case .display(let headers, _, let changes):
            // A picture that is not stored could not be loaded; those of refused panels are never stored.
            if isKnown(headers) || isAdopted(headers, at: input.at) {
                input.body = .display(headers, picture: nil, changes: changes)
            }
        case .request(let request):
            guard request.action == .list else { return nil }
        case .setup: return nil
        }
        return decide(input).effects.first
    }

    // MARK: Identification

    /// Returns whether a panel sends the key of its record.
    func isKnown(_ headers: PanelHeaders) -> Bool {
        guard let stored = state.records[headers.id.rawValue]?.keyHash, let sent = headers.keyHash else { return false }
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
    func isAdopted(_ headers: PanelHeaders, at now: Instant) -> Bool {
        headers.keyHash != nil && mayPair(headers.id, at: now)
    }

    func identity(of headers: PanelHeaders, at now: Instant) -> PanelIdentity {
        let record = state.records[headers.id.rawValue]
        guard isKnown(headers) || isAdopted(headers, at: now) else {
            if record?.keyHash != nil { return .notice(.wrongKey) }
            return .notice(panelsByID[headers.id] == nil ? .unknown : .unpaired)
        }
        if let record, record.shown != nil, record.keepsPicture(at: now) { return .keeps }
        return panelsByID[headers.id].map { .board($0) } ?? .notice(.noBoard)
    }

    private mutating func setup(_ headers: PanelHeaders, keyHash: String, at now: Instant) -> Decisions {
        guard mayPair(headers.id, at: now) else {
            remember(headers.id, state.records[headers.id.rawValue]?.keyHash == nil ? .unpaired : .wrongKey, at: now)
            return Step(effects: [.notPaired])
        }
        var record = state.records[headers.id.rawValue] ?? PanelRecord(id: headers.id)
        (record.keyHash, record.hasUsedKey) = (keyHash, false)
        record.take(headers)
        return keep(record, effect: .paired(width: record.width, height: record.height))
    }

    /// Remembers a panel that was refused.
    mutating func remember(_ id: PanelID, _ kind: PanelNotice.Kind, at now: Instant) {
        if refused[id] == nil, refused.count >= Self.maximumRefused,
            let oldest = refused.values.min(by: { ($0.lastSeen, $0.id) < ($1.lastSeen, $1.id) })
        {
            refused[oldest.id] = nil
        }
        refused[id] = PanelReport.RefusedPanel(id: id, reason: kind.rawValue, lastSeen: now)
    }

    /// Stores a record, with the bytes of its picture if that is a new one.
    mutating func keep(_ record: PanelRecord, png: SharedBytes? = nil, effect: PanelEffect) -> Decisions {
        state.records[record.key] = record
        if let id = record.id { refused[id] = nil }
        return Step(writes: [.record(record, png: png)], effects: [effect])
    }
}
