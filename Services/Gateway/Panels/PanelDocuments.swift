// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WidgetSchema

/// The answer to a panel that asks for its picture.
///
/// The firmware reads a missing or null number as 0, and any text as true (usetrmnl/trmnl-firmware 1.8.15,
/// `parse_response_api_display.cpp`). So each field has its type, and none is left out.
struct PanelDisplayDocument: Codable, Hashable, Sendable {
    /// The result: 0, because the firmware draws nothing with any other number.
    var status = 0
    var imageURL: String
    var filename: String
    /// The time that the panel sleeps, in seconds.
    var refreshRate: Int64
    var updatesFirmware = false
    var resetsFirmware = false
    var specialFunction = "none"

    private enum CodingKeys: String, CodingKey {
        case status, filename
        case imageURL = "image_url"
        case refreshRate = "refresh_rate"
        case updatesFirmware = "update_firmware"
        case resetsFirmware = "reset_firmware"
        case specialFunction = "special_function"
    }

    init(_ display: PanelDisplay, _ headers: PanelHeaders, base: String) {
        filename = display.name.rawValue
        refreshRate = display.sleepSeconds
        if let owner = display.owner {
            imageURL = "\(base)/api/image/\(owner.key)/\(display.name).\(owner.signature).png"
        } else {
            let (kind, size) = (display.notice ?? .unknown, "\(headers.width ?? 0)x\(headers.height ?? 0)")
            imageURL = "\(base)/api/notice/\(kind.rawValue)/\(headers.id)/\(size)/\(display.name).png"
        }
    }
}

/// The answer to a panel that asks for a key.
struct PanelSetupDocument: Codable, Hashable, Sendable {
    /// The value of ``status`` with a key.
    private static let given = 200
    /// The value without one: the firmware goes on without a key, and shows the picture that says what to do.
    private static let notGiven = 403
    private static let friendlyDigits = 6

    var status = notGiven
    var key = ""
    var friendlyID = ""
    var imageURL = ""
    var message: String

    private enum CodingKeys: String, CodingKey {
        case status, message
        case key = "api_key"
        case friendlyID = "friendly_id"
        case imageURL = "image_url"
    }

    /// Creates the answer without a key; `message` says why.
    init(message: String = "The pairing window is closed to this panel.") { self.message = message }

    /// Creates the answer with a key; `hash` is its hash, and `imageURL` the address of the first picture.
    init(key: String, hash: String, imageURL: String) {
        self.init()
        status = Self.given
        self.key = key
        friendlyID = String(hash.prefix(Self.friendlyDigits)).uppercased()
        self.imageURL = imageURL
        message = "This panel is paired."
    }
}

/// The log that a panel sends.
struct PanelLog: Codable, Hashable, Sendable {
    static let maximumBytes = 64 * 1024
    /// The maximum number of entries that are taken; the firmware stores ten.
    static let maximumEntries = 10
    private static let maximumCharacters = 200

    struct Entry: Codable, Hashable, Sendable {
        var message: String?

        /// The message in printable ASCII, up to a maximum.
        var text: String {
            let bytes = (message ?? "").utf8.map { $0 >= 0x20 && $0 < 0x7F ? $0 : UInt8(ascii: "?") }
            return String(decoding: bytes.prefix(PanelLog.maximumCharacters), as: UTF8.self)
        }
    }

    var logs: [Entry]?
}

// Members may be absent; null is an error, as the published schema says.

extension PanelLog {
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        logs = container.contains(.logs) ? try container.decode([Entry].self, forKey: .logs) : nil
    }
}

extension PanelLog.Entry {
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        message = container.contains(.message) ? try container.decode(String.self, forKey: .message) : nil
    }
}
