// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A request to the gateway to list its panels, or to change one.
public struct PanelsRequest: RequestBody {
    public static let name = "panels"
    public typealias Result = PanelReport

    /// The valid lengths of a pairing window in minutes.
    public static let pairingMinutes = 1...60
    public static let defaultPairingMinutes = 10
    /// The maximum time for which a panel can be told to sleep, in days.
    public static let maximumSleepDays = 366

    public enum Action: String, Codable, CaseIterable, Sendable {
        case list
        /// Opens a pairing window, in which panels get keys.
        case pair
        /// Removes a panel's key and everything that is known of the panel.
        case forget
        /// Lets a panel keep its picture, and wake once a day, until a time.
        case sleep
    }

    public var action: Action
    /// The panel's id, or its name in the configuration.
    ///
    /// With `pair`, nil opens the window for all panels of the configuration that have no key yet.
    public var panel: String?
    /// The length of the pairing window in minutes; nil for ``defaultPairingMinutes``.
    public var minutes: Int?
    /// The time until which the panel sleeps; nil ends the sleep.
    public var until: Instant?

    public init(action: Action, panel: String? = nil, minutes: Int? = nil, until: Instant? = nil) {
        self.action = action
        self.panel = panel
        self.minutes = minutes
        self.until = until
    }
}

/// The panels of a gateway, those that it does not know, and the open pairing window.
public struct PanelReport: Codable, Hashable, Sendable {
    /// The knowledge of one panel.
    public struct Entry: Codable, Hashable, Sendable {
        /// The name in the configuration; absent if the panel is not in it.
        public var name: PanelName?
        public var id: PanelID?
        public var board: BoardID?
        public var state: State
        /// Sentences about what needs attention; empty if nothing does.
        public var warnings: [String]
        public var batteryMillivolts: Int?
        /// The strength of the radio signal in dBm.
        public var signal: Int?
        public var firmware: String?
        public var model: String?
        public var lastWake: Instant?
        /// The time at which the panel is expected next.
        public var nextWake: Instant?
        public var sleepUntil: Instant?
        /// The name of the picture that the panel was told to show last.
        public var picture: String?
        /// The number of wakes.
        public var wakes: Int64
        /// The number of wakes at which the panel got another picture.
        public var redraws: Int64
        /// The number of wakes at which the panel kept its picture.
        public var redrawsSaved: Int64
        /// The seconds from the last visible change of the board to the answer that showed it; absent if it is unknown.
        public var lastDelaySeconds: Int64?

        public init(state: State) {
            self.state = state
            (warnings, wakes, redraws, redrawsSaved) = ([], 0, 0, 0)
        }
    }

    public enum State: String, Codable, CaseIterable, Sendable {
        /// The panel has a key and a board.
        case paired
        /// The panel is in the configuration and has no key.
        case unpaired
        /// The panel has a key and is not in the configuration.
        case unconfigured
        /// The client has no id; it only names itself in the address of its picture.
        case named
    }

    /// A panel that was refused.
    public struct RefusedPanel: Codable, Hashable, Sendable {
        public var id: PanelID
        /// The reason: `unknown`, `unpaired` or `wrongKey`.
        public var reason: String
        public var lastSeen: Instant

        public init(id: PanelID, reason: String, lastSeen: Instant) {
            self.id = id
            self.reason = reason
            self.lastSeen = lastSeen
        }
    }

    public struct Pairing: Codable, Hashable, Sendable {
        public var until: Instant
        /// The only panel that may get a key; absent if all panels of the configuration without a key may.
        public var panel: PanelID?

        public init(until: Instant, panel: PanelID? = nil) {
            self.until = until
            self.panel = panel
        }
    }

    public var panels: [Entry]
    public var refused: [RefusedPanel]
    public var pairing: Pairing?

    public init(panels: [Entry], refused: [RefusedPanel], pairing: Pairing?) {
        self.panels = panels
        self.refused = refused
        self.pairing = pairing
    }
}
