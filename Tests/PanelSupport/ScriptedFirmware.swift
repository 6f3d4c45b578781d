// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

package import Foundation
package import WebServer
package import WidgetSchema

/// A panel with the firmware of TRMNL (1.8.15), as far as a server can notice it.
///
/// It has the flash, the memory that survives sleep, the tries, the statuses, the rules for names and types, and the failures that
/// put an error on the panel. It is written from the description of the firmware's behaviour alone.
package struct ScriptedFirmware {
    /// The server's side of a connection; a request that gets nil failed.
    package typealias Send = (_ method: String, _ url: String, _ headers: [WebHeader]) async -> WebResponse?

    /// A fault of an answer that an owner would see, or that costs energy.
    package enum Fault: Hashable {
        case errorScreen(String)
        case erased
        case refreshRate(UInt64)
        case magicName(String)
        case redrawOfSamePixels
        case downloadOfSamePixels
        case pictureTooLarge(Int)
        case longAddress(Int)
        case wrongType(String)
    }

    private static let tries = 5
    private static let secondsBetweenTries: Int64 = 2
    private static let failureSleeps: [Int64] = [15, 30, 60]
    private static let longFailureSleep: Int64 = 900
    private static let keptSeconds: Int64 = 86_400
    private static let pngSignature: [UInt8] = [0x89, 0x50, 0x4E, 0x47]

    package let id: String
    /// The address of the server, as it was entered when the panel was set up.
    package var base: String
    package var maximumPictureBytes = 90_000
    /// The shortest sleep in seconds that is no fault; tests have panels that sleep for seconds.
    package var shortestSleep: UInt64 = 60

    // The flash.
    package private(set) var key = ""
    package private(set) var friendlyID = ""
    package private(set) var files: [String: Data] = [:]
    package private(set) var failures = 0
    package private(set) var refreshSeconds: Int64 = 900
    // The memory that survives sleep, and not a loss of power.
    private var shownName: String?

    /// The pixels that the panel shows; electronic paper keeps it without power.
    package private(set) var pixels: Data?
    package private(set) var faults: [Fault] = []
    package private(set) var wakes = 0
    package private(set) var downloads = 0
    package private(set) var redraws = 0
    /// The number of downloads of pixels that the panel showed already.
    package private(set) var repeatedDownloads = 0
    /// A Boolean value that indicates whether the panel has lost power since its last drawing: it draws its picture again then.
    private var hasLostPower = false
    /// The number of drawings in which a repeated one can follow from a restore of the server's files.
    private var drawingsAfterRestore = 0
    /// The time on the panel's clock during a wake.
    package private(set) var now = Instant(milliseconds: 0)

    package init(id: String, base: String, key: String = "", friendlyID: String = "") {
        self.id = id
        self.base = base
        self.key = key
        self.friendlyID = friendlyID
    }

    package mutating func losePower() {
        shownName = nil
        hasLostPower = true
    }

    /// Notes that the server's files were restored, so it may not know which picture the panel shows.
    ///
    /// That costs at most two repeated drawings, the next two: the picture is told under an earlier name, whose file the panel removes
    /// after its download because it is older than a day, and then under a new name.
    package mutating func noteRestore() { drawingsAfterRestore = 2 }

    private var mayRepeat: Bool { hasLostPower || drawingsAfterRestore > 0 }

    /// Lets time pass, for a panel in real time that sleeps, or waits before it tries again.
    package static func pause(until end: ContinuousClock.Instant) async { try? await Task.sleep(until: end) }

    // MARK: A wake

    /// Runs one wake, and returns the sleep after it in seconds.
    package mutating func wake(at start: Instant, _ send: Send) async -> Int64 {
        now = start
        wakes += 1
        if key.isEmpty || friendlyID.isEmpty, await setUp(send) == false { return Self.longFailureSleep }
        guard let answer = await display(send) else { return fail("no answer") }
        switch answer["status"]?.number {
        case 0: break
        case 500:
            faults.append(.erased)
            (key, friendlyID, files, shownName) = ("", "", [:], nil)
            return 0
        default: return fail("status")
        }
        let rate = answer["refresh_rate"]?.number ?? 0
        if answer["update_firmware"]?.isTrue == true || answer["reset_firmware"]?.isTrue == true {
            faults.append(.erased)
        }
        // The rate is stored as 32 bits.
        refreshSeconds = Int64(UInt32(truncatingIfNeeded: rate))
        if !(shortestSleep...86_400).contains(rate) { faults.append(.refreshRate(rate)) }
        let (address, name) = (answer["image_url"]?.text ?? "", Self.fitted(answer["filename"]?.text ?? ""))
        if ["empty_state", "screen_wiper.png"].contains(name) || name.isEmpty { faults.append(.magicName(name)) }
        if address.utf8.count >= 1_024 { faults.append(.longAddress(address.utf8.count)) }
        if files[name] == nil, await download(address, as: name, send) == false { return fail("picture") }
        if shownName != name { draw(name) }
        failures = 0
        return refreshSeconds
    }

    private mutating func fail(_ reason: String) -> Int64 {
        failures += 1
        if failures <= Self.failureSleeps.count { return Self.failureSleeps[failures - 1] }
        faults.append(.errorScreen(reason))
        return Self.longFailureSleep
    }

    private var identity: [WebHeader] {
        [
            WebHeader("ID", id), WebHeader("Access-Token", key), WebHeader("FW-Version", "1.8.15"),
            WebHeader("Model", "og"), WebHeader("Battery-Voltage", "4.02"), WebHeader("RSSI", "-61"),
            WebHeader("Refresh-Rate", "\(refreshSeconds)"), WebHeader("Width", "800"), WebHeader("Height", "480"),
        ]
    }

    /// Requests a key; returns false if the panel sleeps instead of going on.
    private mutating func setUp(_ send: Send) async -> Bool {
        guard let response = await send("GET", base + "/api/setup", identity), response.status == 200 else {
            faults.append(.errorScreen("setup"))
            return false
        }
        let answer = Self.object(response.body)
        guard answer["status"]?.number == 200 else {
            if answer["status"]?.number == 404 { faults.append(.errorScreen("not registered")) }
            return true
        }
        key = answer["api_key"]?.text ?? ""
        friendlyID = answer["friendly_id"]?.text ?? ""
        let picture = await send("GET", answer["image_url"]?.text ?? "", [])
        if picture?.status != 200 || picture?.body.starts(with: Self.pngSignature) != true {
            faults.append(.errorScreen("picture of the setup"))
        }
        return true
    }

    private mutating func display(_ send: Send) async -> [String: Value]? {
        for _ in 0..<Self.tries {
            if let response = await send("GET", base + "/api/display", identity) {
                if [200, 301].contains(response.status) { return Self.object(response.body) }
                if response.status == 429 { return nil }
            }
            now = now.advanced(by: .seconds(Self.secondsBetweenTries))
        }
        return nil
    }

    private mutating func download(_ address: String, as name: String, _ send: Send) async -> Bool {
        let headers = address.hasPrefix(base) ? identity : []
        guard let response = await send("GET", address, headers), [200, 301].contains(response.status) else {
            return false
        }
        let type = response.headers.first { $0.name == "Content-Type" }?.value ?? ""
        guard type == "image/png" else {
            // Nothing is drawn, and no failure is counted.
            faults.append(.wrongType(type))
            return true
        }
        guard response.body.count <= maximumPictureBytes else {
            faults.append(.pictureTooLarge(response.body.count))
            return true
        }
        guard response.body.starts(with: Self.pngSignature) else { return false }
        downloads += 1
        if response.body == pixels {
            repeatedDownloads += 1
            if !mayRepeat { faults.append(.downloadOfSamePixels) }
        }
        files = files.filter { $0.key.prefix(13) != name.prefix(13) }
        files[name] = response.body
        let seconds = now.milliseconds / 1_000
        let picture = response.body
        files = files.filter { file in
            guard let epoch = Int64(file.key.suffix(10)) else { return false }
            return (0...Self.keptSeconds).contains(seconds - epoch)
        }
        if shownName != name { draw(name, picture) }
        return true
    }

    private mutating func draw(_ name: String, _ picture: Data? = nil) {
        guard let picture = picture ?? files[name] else { return }
        redraws += 1
        if picture == pixels {
            if !mayRepeat { faults.append(.redrawOfSamePixels) }
        }
        if !(hasLostPower && picture == pixels) { drawingsAfterRestore = max(0, drawingsAfterRestore - 1) }
        hasLostPower = false
        (pixels, shownName) = (picture, name)
    }

    /// Returns a name in the form that the flash keeps.
    private static func fitted(_ name: String) -> String {
        name.utf8.count >= 32 ? String(name.prefix(7)) + String(name.suffix(17)) : name
    }

    // MARK: JSON

    /// A value as the firmware reads it: texts count as true, and what is missing, null or negative is 0.
    private enum Value: Decodable {
        case bool(Bool)
        case double(Double)
        case text(String)
        case other

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let value = try? container.decode(Bool.self) {
                self = .bool(value)
            } else if let value = try? container.decode(Double.self) {
                self = .double(value)
            } else if let value = try? container.decode(String.self) {
                self = .text(value)
            } else {
                self = .other
            }
        }

        var number: UInt64 {
            switch self {
            case .bool(let value): value ? 1 : 0
            case .double(let value): value >= 0 && value < 1e18 ? UInt64(value) : 0
            case .text(let value): UInt64(value) ?? 0
            case .other: 0
            }
        }

        var isTrue: Bool {
            switch self {
            case .bool(let value): value
            case .double(let value): value != 0
            case .text(let value): !value.isEmpty
            case .other: false
            }
        }

        var text: String? {
            if case .text(let value) = self { return value }
            return nil
        }
    }

    private static func object(_ data: Data) -> [String: Value] {
        (try? JSONDecoder().decode([String: Value].self, from: data)) ?? [:]
    }
}
