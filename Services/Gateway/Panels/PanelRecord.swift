// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Cryptography
import Foundation
import WebServer
import WidgetSchema

/// The knowledge of one panel, as it is stored.
struct PanelRecord: Codable, Hashable, Sendable {
    /// The picture that a panel was told to show.
    struct Shown: Codable, Hashable, Sendable {
        /// The SHA-256 of the PNG.
        var digest: ContentDigest
        /// The name under which the panel keeps the picture.
        var name: PictureName
        /// The time at which the panel last requested the picture itself; nil if it did not.
        var downloadedAt: Instant?
    }

    /// The panel's id; nil for a client that only names itself in the address of its picture.
    var id: PanelID?
    /// The name of such a client in the configuration.
    var name: PanelName?
    /// The SHA-256 of the panel's key in hexadecimal digits; nil if it has none.
    var keyHash: String?
    /// A Boolean value that indicates whether the panel has used its key.
    ///
    /// A key that was never used can be replaced in an open pairing window: the answer that contained it may be lost.
    var hasUsedKey = false
    var shown: Shown?
    /// The picture before ``shown`` that the panel has loaded; nil if there is none.
    ///
    /// The panel still shows it if it has not loaded the later one.
    var loaded: Shown?
    /// The time until which the panel keeps its picture and wakes once a day; nil if nobody told it to sleep.
    var sleepUntil: Instant?
    var lastWake: Instant?
    /// The sleep in the last answer, in seconds.
    var sleepSeconds: Int64?
    /// The time at which the panel is expected next; nil if it was told no sleep.
    var nextWake: Instant?
    /// The time before which the panel does not wake by itself; nil if it was told no sleep.
    var earliestWake: Instant?
    /// The panel's clock, estimated from its sleeps.
    var clock = PanelClock()
    var batteryMillivolts: Int?
    var signal: Int?
    var firmware: String?
    var model: String?
    var width: Int?
    var height: Int?
    var wakes: Int64 = 0
    var redraws: Int64 = 0
    var redrawsSaved: Int64 = 0
    var lastDelaySeconds: Int64?

    init(id: PanelID? = nil, name: PanelName? = nil) {
        self.id = id
        self.name = name
    }

    /// The name of the record among all records: ids and names of the configuration never meet, because of the sign.
    var key: String { id?.rawValue ?? "=\(name?.rawValue ?? "")" }

    static func key(of panel: SleepingPanel) -> String { panel.id?.rawValue ?? "=\(panel.name)" }

    // MARK: Wakes

    /// Takes the properties that a panel reports when it wakes.
    mutating func take(_ headers: PanelHeaders) {
        batteryMillivolts = headers.batteryMillivolts ?? batteryMillivolts
        signal = headers.signal ?? signal
        firmware = headers.firmware ?? firmware
        model = headers.model ?? model
        width = headers.width ?? width
        height = headers.height ?? height
    }

    /// The time in which another request belongs to the same wake: the firmware tries up to five times.
    private static let retryTime: Duration = .seconds(30)

    /// Takes a wake, and measures the panel's clock; returns false if the request belongs to the wake before.
    mutating func wake(at now: Instant) -> Bool {
        defer { lastWake = now }
        guard let lastWake, let sleepSeconds, sleepSeconds > 0 else {
            wakes += 1
            return true
        }
        let slept = Duration.milliseconds(now.milliseconds(since: lastWake))
        let asked = Duration.seconds(sleepSeconds)
        if slept >= .zero, slept < min(Self.retryTime, asked / 2) { return false }
        clock.take(asked: asked, slept: slept)
        wakes += 1
        return true
    }

    /// Records the sleep that the panel is told.
    mutating func take(_ sleep: PanelWake.Sleep) {
        sleepSeconds = Int64(sleep.seconds)
        (nextWake, earliestWake) = (sleep.wake, sleep.earliest)
    }

    /// Returns whether the panel was told to sleep until a later time than `now`, and keeps its picture until then.
    func keepsPicture(at now: Instant) -> Bool { sleepUntil.map { now < $0 } ?? false }

    // MARK: Attention

    /// The voltage below which a battery needs charging.
    static let lowBatteryMillivolts = 3_400
    /// The number of missed wakes after which a panel needs attention.
    static let missedWakes: Int64 = 2

    /// Returns whether the panel has missed ``missedWakes`` wakes.
    func isMissing(at now: Instant) -> Bool {
        guard let lastWake, let sleepSeconds else { return false }
        return now.milliseconds(since: lastWake) / 1_000 > sleepSeconds * (Self.missedWakes + 1)
    }

    /// A Boolean value that indicates whether the battery needs charging.
    var hasLowBattery: Bool { batteryMillivolts.map { $0 < Self.lowBatteryMillivolts } ?? false }
}

/// The name of a picture in a panel's flash: a kind, the identity of what is shown, and a time.
///
/// The firmware (usetrmnl/trmnl-firmware 1.8.15, `filesystem.cpp`) keeps names of at most 30 bytes. After each download, it
/// removes files with the same first 13 bytes, and those whose last 10 characters are no Unix time of the last 24 hours.
struct PictureName: ValidatedString {
    static let rule = "the name of a picture has 24 characters: KIND-IDENTI-EPOCH"
    private static let characters = 24
    private static let identityDigits = 6
    private static let epochDigits = 10
    /// The latest time that has ten digits.
    private static let maximumEpoch: Int64 = 9_999_999_999

    enum Kind: String, CaseIterable, Sendable {
        case screen
        case notice
    }

    let rawValue: String

    init?(rawValue: String) {
        guard rawValue.utf8.count == Self.characters,
            Kind.allCases.contains(where: { rawValue.hasPrefix($0.rawValue + "-") }),
            rawValue.utf8.suffix(Self.epochDigits).allSatisfy(\.isDigit)
        else { return nil }
        self.rawValue = rawValue
    }

    /// Creates the name of a picture; `identity` names what is shown, and `epoch` is in Unix seconds.
    init(_ kind: Kind, identity: String, epoch: Int64) {
        let digits = SHA256.hexDigest(of: identity).prefix(Self.identityDigits)
        let time = String(min(max(epoch, 0), Self.maximumEpoch))
        let padding = String(repeating: "0", count: Self.epochDigits - time.utf8.count)
        rawValue = "\(kind.rawValue)-\(digits)-\(padding)\(time)"
    }

    /// The time in the name, in Unix seconds.
    var epoch: Int64 { Int64(rawValue.suffix(Self.epochDigits)) ?? 0 }
}

/// A picture that a panel can be told to show.
struct PanelPicture: Sendable {
    /// The SHA-256 of the PNG.
    let digest: ContentDigest
    let png: SharedBytes
    let kind: PictureName.Kind
    /// The name of what is shown: that of the board, or of the notice.
    let identity: String
    /// The time of the last visible change; nil if it is unknown.
    var lastChange: Instant?
    /// A Boolean value that indicates whether the picture shows all that is known: a board that cannot be drawn keeps its last one.
    var isCurrent = false

    init?(png: SharedBytes, kind: PictureName.Kind, identity: String) {
        guard let digest = ContentDigest(rawValue: SHA256.hexDigest(of: png.data)) else { return nil }
        self.digest = digest
        self.png = png
        self.kind = kind
        self.identity = identity
    }
}
