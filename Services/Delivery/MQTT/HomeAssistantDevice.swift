// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WidgetSchema

/// A widget or a board as a device of Home Assistant, which finds it by a message (MQTT device discovery, 2024.11).
struct HomeAssistantDevice: Hashable, Sendable {
    var subject: DeliverySubject
    /// The name that people see.
    var name: String
    /// The kind of the widget; nil for a board.
    var kind: WidgetKind?
    /// A Boolean value that indicates whether pictures are published; of a board, their address is.
    var hasPicture: Bool

    /// Returns the message that announces the device to Home Assistant; it is retained.
    func discovery(_ topics: MQTTTopics, version: String) throws(WireError) -> MQTTMessage {
        let id = topics.deviceID(subject)
        var identified: [String: JSONTree] = [:]
        for (key, members) in components(topics) {
            identified[key] = .object(members.merging(["unique_id": .text("\(id)_\(key)")]) { _, new in new })
        }
        let payload: [String: JSONTree] = [
            "device": .object([
                "identifiers": .list([.text(id)]), "name": .text(name), "manufacturer": .text("Tidings"),
                "model": .text(kind?.rawValue ?? "board"), "sw_version": .text(version),
            ]),
            "origin": .object(["name": .text("Tidings"), "sw_version": .text(version)]),
            "availability_topic": .text(topics.availability),
            "qos": .number(1),
            "components": .object(identified),
        ]
        return MQTTMessage(topics.discovery(subject), try WireJSON.encode(JSONTree.object(payload)), isRetained: true)
    }

    /// Returns the entities by their keys, without their ids.
    private func components(_ topics: MQTTTopics) -> [String: [String: JSONTree]] {
        let results = JSONTree.list(UpdateResult.allCases.map { .text($0.rawValue) })
        let state = JSONTree.text(topics.state(subject))
        func sensor(_ name: String, _ member: String) -> [String: JSONTree] {
            [
                "platform": .text("sensor"), "name": .text(name), "state_topic": state,
                "value_template": .text("{{ value_json.\(member) }}"),
            ]
        }
        func isDiagnostic(_ members: [String: JSONTree]) -> [String: JSONTree] {
            members.merging(["entity_category": .text("diagnostic")]) { _, new in new }
        }
        var all: [String: [String: JSONTree]] = [
            // Home Assistant shows a time as an age, such as "5 minutes ago", and keeps it current itself.
            "age": sensor("Age", "contentDate").merging(["device_class": .text("timestamp")]) { _, new in new },
            "next_change": isDiagnostic(
                sensor("Next change", "nextChange").merging(["device_class": .text("timestamp")]) { _, new in new }
            ),
        ]
        guard case .widget = subject else {
            if hasPicture {
                // Home Assistant loads the picture itself, at each message. A content type would be an error.
                all["picture"] = [
                    "platform": .text("image"), "name": .text("Picture"), "url_topic": .text(topics.address(subject)),
                ]
            }
            return all
        }
        if hasPicture {
            all["picture"] = [
                "platform": .text("image"), "name": .text("Picture"),
                "image_topic": .text(topics.picture(subject)), "content_type": .text("image/png"),
            ]
        }
        all["headline"] = sensor("Headline", "headline").merging(["json_attributes_topic": state]) { _, new in new }
        all["result"] = isDiagnostic(
            sensor("Result", "result").merging(["device_class": .text("enum"), "options": results]) { _, new in new }
        )
        all["update"] = [
            "platform": .text("event"), "name": .text("Update"), "state_topic": .text(topics.event(subject)),
            "event_types": results,
        ]
        for command in MQTTCommand.allCases where command != .nextValue || kind?.showsOneOfMany == true {
            all[command.key] = [
                "platform": .text("button"), "name": .text(command.name),
                "command_topic": .text(topics.command(subject)), "payload_press": .text(command.rawValue),
            ]
        }
        return all
    }

    /// A JSON value whose members have the names of Home Assistant.
    private indirect enum JSONTree: Encodable {
        case text(String)
        case number(Int)
        case list([JSONTree])
        case object([String: JSONTree])

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .text(let text): try container.encode(text)
            case .number(let number): try container.encode(number)
            case .list(let list): try container.encode(list)
            case .object(let members): try container.encode(members)
            }
        }
    }
}

/// A command that a home sends back, as the payload of a message.
enum MQTTCommand: String, CaseIterable, Sendable {
    case refresh
    case nextValue

    /// The maximum length of a payload that is read as a command, in bytes.
    static let maximumBytes = 64

    init?(_ payload: Data) {
        guard payload.count <= Self.maximumBytes else { return nil }
        self.init(rawValue: String(decoding: payload, as: UTF8.self))
    }

    var command: Command {
        switch self {
        case .refresh: .refresh
        case .nextValue: .nextValue
        }
    }

    /// The key of the button in the discovery message.
    var key: String {
        switch self {
        case .refresh: "refresh"
        case .nextValue: "next_value"
        }
    }

    /// The name of the button.
    var name: String {
        switch self {
        case .refresh: "Refresh"
        case .nextValue: "Next value"
        }
    }
}
