// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Cryptography
import WebServer
import WidgetSchema

/// The properties that a panel tells about itself in the headers of a request.
///
/// All values are checked and bounded, because anyone may send them.
struct PanelHeaders: Hashable, Sendable {
    /// The maximum number of bytes of a key; longer ones are no key.
    static let maximumKeyBytes = 256
    /// The maximum number of characters of the firmware's version and of the model.
    static let maximumTextCharacters = 32

    var id: PanelID
    /// The SHA-256 of the key in hexadecimal digits; nil if the panel sends none.
    var keyHash: String?
    var batteryMillivolts: Int?
    /// The strength of the radio signal in dBm.
    var signal: Int?
    var firmware: String?
    var model: String?
    /// The width in pixels.
    var width: Int?
    /// The height in pixels.
    var height: Int?

    init(id: PanelID, keyHash: String? = nil) {
        self.id = id
        self.keyHash = keyHash
    }

    /// Reads the headers of a request; nil without a valid id.
    init?(_ request: WebRequest) {
        guard let id = request.header("ID").flatMap(PanelID.init(rawValue:)) else { return nil }
        let key = request.header("Access-Token") ?? ""
        let isKey = (1...Self.maximumKeyBytes).contains(key.utf8.count)
        self.init(id: id, keyHash: isKey ? SHA256.hexDigest(of: key) : nil)
        batteryMillivolts = Self.millivolts(request.header("Battery-Voltage"))
        signal = Self.integer(request.header("RSSI"), in: -200...0)
        firmware = Self.text(request.header("FW-Version"))
        model = Self.text(request.header("Model"))
        width = Self.integer(request.header("Width"), in: PanelSize.lengths)
        height = Self.integer(request.header("Height"), in: PanelSize.lengths)
    }

    private static func integer(_ text: String?, in range: ClosedRange<Int>) -> Int? {
        text.flatMap { Int($0) }.flatMap { range.contains($0) ? $0 : nil }
    }

    /// Returns the millivolts of a voltage such as `4.05`; nil if no battery has it.
    private static func millivolts(_ text: String?) -> Int? {
        guard let volts = text.flatMap(Double.init), (0.5...30).contains(volts) else { return nil }
        return Int((volts * 1_000).rounded())
    }

    /// Returns the printable ASCII characters of a text, up to a maximum.
    private static func text(_ text: String?) -> String? {
        let bytes = (text ?? "").utf8.filter { $0 >= 0x20 && $0 < 0x7F }.prefix(maximumTextCharacters)
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }
}
