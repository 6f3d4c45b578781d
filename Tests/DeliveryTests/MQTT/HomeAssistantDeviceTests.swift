// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import JSON
import TestSupport
import Testing
import WidgetSchema

@testable import Delivery

/// The discovery messages, checked by the rules of Home Assistant's schemas (`homeassistant/components/mqtt`, 2026).
@Suite struct HomeAssistantDeviceTests {
    private static let topics = MQTTTopics(base: "tidings/home")

    @Test(arguments: WidgetKind.allCases)
    func aWidgetFulfilsTheSchemas(kind: WidgetKind) throws {
        let device = HomeAssistantDevice(
            subject: try MQTTSessionTests.subject("news"),
            name: "The \"news\"",
            kind: kind,
            hasPicture: true
        )
        let message = try device.discovery(try #require(Self.topics), version: "1.0")
        #expect(message.isRetained)
        #expect(message.topic.wholeMatch(of: #/homeassistant/device/[a-zA-Z0-9_-]+/config/#) != nil)
        let components = try Self.check(message)
        var expected: Set = ["age", "headline", "next_change", "picture", "refresh", "result", "update"]
        if kind.showsOneOfMany { expected.insert("next_value") }
        #expect(Set(components) == expected)
    }

    @Test func aBoardFulfilsTheSchemas() throws {
        let board = try #require(BoardID(rawValue: "kitchen"))
        let device = HomeAssistantDevice(subject: .board(board), name: "Kitchen", kind: nil, hasPicture: false)
        let components = try Self.check(try device.discovery(try #require(Self.topics), version: "1.0"))
        #expect(Set(components) == ["age", "next_change"])
        let withPicture = HomeAssistantDevice(subject: .board(board), name: "Kitchen", kind: nil, hasPicture: true)
        let all = try Self.check(try withPicture.discovery(try #require(Self.topics), version: "1.0"))
        #expect(Set(all) == ["age", "next_change", "picture"])
    }

    // Home Assistant comes from PyPI, so this needs the network and takes a minute at its first run.
    @Test(.enabled(if: TestExtent.of(false, nightly: true)), .timeLimit(.minutes(20)))
    func theSchemasOfHomeAssistantAcceptEachWidgetAndBoard() async throws {
        let topics = try #require(Self.topics)
        let board = try #require(BoardID(rawValue: "kitchen"))
        var devices = [false, true].map {
            HomeAssistantDevice(subject: .board(board), name: "Kitchen", kind: nil, hasPicture: $0)
        }
        for kind in WidgetKind.allCases {
            let subject = try MQTTSessionTests.subject("news")
            devices.append(HomeAssistantDevice(subject: subject, name: "News", kind: kind, hasPicture: true))
        }
        let messages = try devices.map { device in
            String(decoding: try device.discovery(topics, version: "1.0").payload, as: UTF8.self)
        }
        let script = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Scripts/home-assistant-schema.py")
        let ended = try await EndedProgram.run(
            ["/usr/bin/python3", "-B", script.path],
            input: Data(messages.joined(separator: "\n").utf8)
        )
        #expect(ended.status == 0, "\(ended.output)\(ended.errors)")
    }

    /// Checks a discovery message; returns the keys of its components.
    private static func check(_ message: MQTTMessage) throws -> [String] {
        let root = try JSONDocument(Array(message.payload)).root
        for name in ["device", "origin", "components"] { #expect(root[name]?.kind == .object, "\(name) is required") }
        #expect(root["origin"]?["name"]?.string == "Tidings")
        #expect(root["device"]?["identifiers"]?.kind == .array)
        #expect(root["availability_topic"]?.string == "tidings/home/availability")
        var keys: [String] = []
        var ids: Set<String> = []
        root["components"]?.forEachMember { key, component in
            keys.append(key)
            let id = component["unique_id"]?.string ?? ""
            #expect(ids.insert(id).inserted, "\(key): unique ids differ")
            #expect(id.hasSuffix(key))
            check(component, key)
            return true
        }
        return keys
    }

    private static func check(_ component: JSONValue, _ key: String) {
        func text(_ name: String) -> String? { component[name]?.string }
        var known: Set = ["platform", "unique_id", "name", "entity_category", "device_class"]
        switch text("platform") {
        case "sensor":
            known.formUnion(["state_topic", "value_template", "json_attributes_topic", "options"])
            #expect(text("state_topic")?.hasSuffix("/state") == true)
            #expect(["enum", "timestamp", nil].contains(text("device_class")))
            #expect((text("device_class") == "enum") == (component["options"] != nil), "options need the class enum")
        case "image":
            known.formUnion(["image_topic", "url_topic", "content_type"])
            #expect((component["url_topic"] == nil) != (component["image_topic"] == nil), "an image has either topic")
            // The default is JPEG, and a type beside an address is an error.
            #expect(text("content_type") == (component["url_topic"] == nil ? "image/png" : nil))
        case "event":
            known.formUnion(["state_topic", "event_types"])
            var types: [String?] = []
            component["event_types"]?.forEachElement { _, value in
                types.append(value.string)
                return true
            }
            #expect(types == ["newData", "noData", "failed"])
        case "button":
            known.formUnion(["command_topic", "payload_press"])
            #expect(text("command_topic")?.hasSuffix("/command") == true)
            #expect(text("payload_press").flatMap { MQTTCommand(Data($0.utf8)) } != nil)
        default: Issue.record("\(key) has another platform")
        }
        component.forEachMember { name, _ in
            #expect(known.contains(name), "\(key) has the member \(name)")
            return true
        }
    }
}
