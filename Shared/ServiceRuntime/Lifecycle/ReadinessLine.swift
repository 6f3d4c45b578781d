// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
public import WidgetSchema

/// The line that a service writes to standard output when other processes can use the service.
///
/// The form is `ready SERVICE INSTANCE key=value …`; the pairs are sorted by key. A space, a control character or a `%`
/// in a value is written as `%XX`. Parent processes wait for this line, because the duration of a start varies.
public struct ReadinessLine: Sendable, Equatable, CustomStringConvertible {
    public var service: String
    public var instance: InstanceName
    /// Additional information, such as the endpoints of the bus.
    public var values: [String: String]

    public init(service: String, instance: InstanceName, values: [String: String] = [:]) {
        self.service = service
        self.instance = instance
        self.values = values
    }

    /// Parses a line, with or without its newline; nil if it is not a readiness line.
    public init?(_ line: some StringProtocol) {
        let words = line.split(whereSeparator: { $0 == " " || $0.isNewline })
        guard words.count >= 3, words[0] == "ready", let instance = InstanceName(rawValue: String(words[2])) else {
            return nil
        }
        var values: [String: String] = [:]
        for word in words.dropFirst(3) {
            guard let sign = word.firstIndex(of: "="), sign != word.startIndex,
                let value = String(word[word.index(after: sign)...]).removingPercentEncoding
            else { return nil }
            values[String(word[..<sign])] = value
        }
        self.init(service: String(words[1]), instance: instance, values: values)
    }

    /// The line without a newline.
    public var description: String {
        var line = "ready \(service) \(instance)"
        for (key, value) in values.sorted(by: { $0.key < $1.key }) { line += " \(key)=\(Self.escaped(value))" }
        return line
    }

    private static func escaped(_ value: String) -> String {
        var bytes: [UInt8] = []
        for byte in value.utf8 {
            if byte <= 0x20 || byte == 0x7F || byte == UInt8(ascii: "%") {
                let digits = String(byte, radix: 16, uppercase: true)
                bytes += Array((byte < 16 ? "%0" : "%").utf8) + Array(digits.utf8)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
