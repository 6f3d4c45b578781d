// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import Foundation
import JSON
import Testing
import WidgetSchema

@testable import Delivery

@Suite struct MQTTSessionTests {
    @Test func aConnectionAnnouncesDevicesAndReportsWhatTheBrokerHasKept() throws {
        var session = try Self.session(["news", "weather"])
        let begin = try session.connected(nonce: "n1")
        guard case .publish(let messages)? = begin.first else {
            Issue.record("nothing is announced")
            return
        }
        #expect(
            messages.map(\.topic) == [
                "homeassistant/device/tidings_home_widget_news/config",
                "homeassistant/device/tidings_home_widget_weather/config", "tidings/home/availability",
                "tidings/home/echo/n1",
            ]
        )
        #expect(messages.map(\.isRetained) == [true, true, true, false])
        #expect(!session.isReady)
        let kept = MQTTState(headline: "H", time: "", sequence: 5, picture: "digest")
        #expect(try session.received(Self.message("tidings/home/widget/news/state", kept, isRetained: true)).isEmpty)
        // A state that another publisher sends now is not one that was kept.
        let present = try Self.message("tidings/home/widget/weather/state", kept, isRetained: false)
        #expect(try session.received(present).isEmpty)
        #expect(try session.received(MQTTMessage("tidings/home/echo/other", "x", isRetained: false)).isEmpty)
        #expect(!session.isReady)
        let end = try session.received(MQTTMessage("tidings/home/echo/n1", "n1", isRetained: false))
        #expect(
            end == [
                .ready,
                .report([
                    try Self.subject("news"): KeptState(sequence: 5, digest: "digest"),
                    try Self.subject("weather"): nil,
                ]),
            ]
        )
        #expect(session.isReady)
        #expect(session.picture(of: try Self.subject("news")) == "digest")
        #expect(session.overdue().isEmpty)
    }

    @Test func whatTheBrokerHasKeptOfAnUnknownWidgetIsRemoved() throws {
        var session = try Self.session(["news"])
        _ = try session.connected(nonce: "n")
        let kept = MQTTState(headline: "H", time: "", sequence: 5)
        _ = try session.received(Self.message("tidings/home/widget/gone/state", kept, isRetained: true))
        _ = try session.received(MQTTMessage("tidings/home/board/old/state", "not JSON", isRetained: true))
        let actions = session.overdue()
        let removed = ["board/old", "widget/gone"].flatMap { subject in
            [
                "tidings/home/\(subject)/state", "tidings/home/\(subject)/picture", "tidings/home/\(subject)/address",
                "homeassistant/device/tidings_home_\(subject.replacing("/", with: "_"))/config",
            ].map { MQTTMessage($0, Data(), isRetained: true) }
        }
        #expect(actions.first == .publish(removed))
        #expect(actions.last == .report([try Self.subject("news"): nil]))
    }

    @Test func aDeviceThatWasAnnouncedAndHasNoStateIsRemovedAndOneOfAnotherSenderIsNot() throws {
        let topics = try #require(MQTTTopics(base: "tidings/home"))
        let foreign = try #require(MQTTTopics(base: "tidings/office"))
        func announcement(_ widget: String, _ topics: MQTTTopics, isRetained: Bool = true) throws -> MQTTMessage {
            let device = HomeAssistantDevice(
                subject: try Self.subject(widget),
                name: widget,
                kind: .feed,
                hasPicture: true
            )
            var message = try device.discovery(topics, version: "1.0")
            message.isRetained = isRetained
            return message
        }
        var session = try Self.session(["news"])
        _ = try session.connected(nonce: "n")
        for message in [
            try announcement("gone", topics), try announcement("news", topics), try announcement("gone", foreign),
            try announcement("live", topics, isRetained: false),
            MQTTMessage("homeassistant/device/lamp/config", "not JSON", isRetained: true),
        ] {
            #expect(try session.received(message).isEmpty)
        }
        let removal = MQTTMessage("homeassistant/device/tidings_home_widget_gone/config", Data(), isRetained: true)
        #expect(session.overdue().first == .publish([removal]))
    }

    @Test func homeAssistantsBirthAnnouncesEverythingAgain() throws {
        var session = try Self.session(["news"])
        _ = try session.connected(nonce: "n")
        let birth = MQTTMessage("homeassistant/status", "online", isRetained: true)
        #expect(try session.received(birth).isEmpty, "the announcement is under way")
        _ = session.overdue()
        guard case .publish(let messages)? = try session.received(birth).first else {
            Issue.record("nothing is announced")
            return
        }
        #expect(
            messages.map(\.topic) == [
                "homeassistant/device/tidings_home_widget_news/config", "tidings/home/availability",
            ]
        )
        #expect(try session.received(MQTTMessage(birth.topic, "offline", isRetained: true)).isEmpty)
    }

    @Test func onlyFreshCommandsForKnownWidgetsAreCarriedOut() throws {
        var session = try Self.session(["news"])
        _ = try session.connected(nonce: "n")
        _ = session.overdue()
        func receive(_ topic: String, _ payload: String, isRetained: Bool = false) throws -> [MQTTSession.Action] {
            try session.received(MQTTMessage(topic, payload, isRetained: isRetained))
        }
        let news = try #require(WidgetID(rawValue: "news"))
        #expect(try receive("tidings/home/widget/news/command", "refresh") == [.command(news, .refresh)])
        #expect(try receive("tidings/home/widget/news/command", "nextValue") == [.command(news, .nextValue)])
        #expect(try receive("tidings/home/widget/news/command", "refresh", isRetained: true).isEmpty)
        for (topic, payload) in [
            ("tidings/home/widget/other/command", "refresh"), ("tidings/home/board/news/command", "refresh"),
            ("tidings/home/widget/news/command", "Refresh"), ("tidings/home/widget/news/command", ""),
            ("tidings/home/widget/news/command", String(repeating: "refresh", count: 100)),
            ("tidings/home/widget/../command", "refresh"), ("tidings/other/widget/news/command", "refresh"),
        ] {
            #expect(try receive(topic, payload).isEmpty, "\(topic)")
        }
    }

    @Test func aPictureIsKnownOnlyWhileTheConnectionLasts() throws {
        var session = try Self.session(["news"])
        let news = try Self.subject("news")
        _ = try session.connected(nonce: "n")
        session.published(news, picture: "early")
        _ = session.overdue()
        #expect(session.picture(of: news) == nil)
        session.published(news, picture: "digest")
        #expect(session.picture(of: news) == "digest")
        session.disconnected()
        #expect(session.picture(of: news) == nil)
        _ = try session.connected(nonce: "m")
        #expect(!session.isReady)
    }

    @Test func thePictureComesBeforeTheStateAndTheEventIsNotRetained() throws {
        let topics = try #require(MQTTTopics(base: "tidings/home"))
        let delivery = try MQTTDelivery(try PushSamples.attempt(), display: nil, topics: topics)
        let messages = try delivery.messages(topics, picture: Data([1, 2]), kept: "old")
        #expect(
            messages.map(\.topic) == [
                "tidings/home/widget/news/picture", "tidings/home/widget/news/state", "tidings/home/widget/news/event",
            ]
        )
        #expect(messages.map(\.isRetained) == [true, true, false])
        let state = try WireJSON.decode(MQTTState.self, from: messages[1].payload)
        #expect(state.headline == "One headline")
        #expect(state.sequence == 7)
        #expect(state.picture == String(repeating: "a", count: 64))
        let event = String(decoding: messages[2].payload, as: UTF8.self)
        #expect(event.contains(#""event_type":"newData""#))
        #expect(event.contains(#""id":"msg_news_7""#))
        // Without a picture, the state names the one that the broker has.
        let unchanged = try delivery.messages(topics, picture: nil, kept: "old")
        #expect(unchanged.count == 2)
        #expect(try WireJSON.decode(MQTTState.self, from: unchanged[0].payload).picture == "old")
    }

    @Test func theStateHasEachMemberAndAShortHeadline() throws {
        let topics = try #require(MQTTTopics(base: "tidings"))
        let attempt = try PushSamples.attempt {
            $0.summary = String(repeating: "e\u{301}", count: 200)
            $0.contentDate = nil
        }
        let delivery = try MQTTDelivery(attempt, display: nil, topics: topics)
        let json = try #require(try delivery.messages(topics, picture: nil, kept: nil).first?.payload)
        let names = try WireJSON.memberNames(in: json)
        #expect(
            names == [
                "contentDate", "hasContent", "headline", "nextChange", "picture", "reason", "result", "sequence",
                "time",
            ]
        )
        let headline = try WireJSON.decode(MQTTState.self, from: json).headline
        #expect(headline.unicodeScalars.count == MQTTState.maximumHeadline)
        #expect(String(decoding: json, as: UTF8.self).contains(#""contentDate":null"#))
    }

    @Test func aBoardHasAStateAndNoEvent() throws {
        let topics = try #require(MQTTTopics(base: "tidings"))
        var attempt = try PushSamples.attempt()
        attempt.subject = .board(try #require(BoardID(rawValue: "kitchen")))
        attempt.body = Data(#"{"time":"T","data":{"board":"kitchen","lastChange":"2026-11-30T08:41:00.000Z"}}"#.utf8)
        let messages = try MQTTDelivery(attempt, display: nil, topics: topics).messages(topics, picture: nil, kept: nil)
        #expect(messages.map(\.topic) == ["tidings/board/kitchen/state"])
        let state = try WireJSON.decode(MQTTState.self, from: messages[0].payload)
        #expect(state.contentDate == Instant("2026-11-30T08:41:00.000Z"))
    }

    @Test func theAddressOfABoardsPictureIsPublishedWhenTheBoardLooksDifferent() throws {
        let topics = try #require(MQTTTopics(base: "tidings"))
        var attempt = try PushSamples.attempt()
        attempt.subject = .board(try #require(BoardID(rawValue: "kitchen")))
        attempt.body = Data(
            #"{"time":"T","pictureurl":"https://t.example/boards/kitchen.png","data":{"board":"kitchen","digest":"d2"}}"#
                .utf8
        )
        let delivery = try MQTTDelivery(attempt, display: nil, topics: topics)
        let changed = try delivery.messages(topics, picture: nil, kept: "d1")
        #expect(changed.map(\.topic) == ["tidings/board/kitchen/address", "tidings/board/kitchen/state"])
        #expect(changed[0].payload == Data("https://t.example/boards/kitchen.png".utf8))
        #expect(changed[0].isRetained)
        #expect(try delivery.messages(topics, picture: nil, kept: "d2").map(\.topic) == ["tidings/board/kitchen/state"])
    }

    @Test func aStateThatIsToldAgainIsNoEvent() throws {
        let topics = try #require(MQTTTopics(base: "tidings/home"))
        var attempt = try PushSamples.attempt()
        attempt.isState = true
        let messages = try MQTTDelivery(attempt, display: nil, topics: topics).messages(topics, picture: nil, kept: nil)
        #expect(messages.map(\.topic) == ["tidings/home/widget/news/state"])
    }

    @Test(arguments: [
        ("mqtt://broker", "broker", 1883, false), ("mqtts://broker", "broker", 8883, true),
        ("mqtt://192.0.2.1:1884/", "192.0.2.1", 1884, false), ("mqtts://[2001:db8::1]:8884", "2001:db8::1", 8884, true),
        ("mqtt://[::1]", "::1", 1883, false),
    ])
    func anAddressHasHostPortAndTLS(text: String, host: String, port: Int, usesTLS: Bool) throws {
        let address = try #require(MQTTAddress(text))
        #expect(address.host == host)
        #expect(address.port == UInt16(port))
        #expect(address.usesTLS == usesTLS)
    }

    @Test(arguments: [
        "broker", "http://broker", "mqtt://", "mqtt://:1883", "mqtt://a:0", "mqtt://a:65536", "mqtt://user:pw@host",
        "mqtt://a/b", "mqtt://[::1", "mqtt://::1", "mqtt://a b", "mqtt://a:",
    ])
    func anAddressOfAnotherFormIsRejected(text: String) {
        #expect(MQTTAddress(text) == nil)
    }

    @Test(arguments: ["", "/", "a//b", "a/+", "#", "a b", "é", "$SYS", "1/2/3/4/5/6/7/8/9"])
    func aBaseOfAnotherFormIsRejected(text: String) {
        #expect(MQTTTopics(base: text) == nil)
    }

    static func subject(_ widget: String) throws -> DeliverySubject {
        .widget(try #require(WidgetID(rawValue: widget)))
    }

    static func session(_ widgets: [String], base: String = "tidings/home") throws -> MQTTSession {
        MQTTSession(
            topics: try #require(MQTTTopics(base: base)),
            devices: try widgets.map {
                HomeAssistantDevice(subject: try subject($0), name: $0, kind: .feed, hasPicture: true)
            },
            usesDiscovery: true,
            version: "1.0"
        )
    }

    private static func message(_ topic: String, _ state: MQTTState, isRetained: Bool) throws -> MQTTMessage {
        MQTTMessage(topic, try WireJSON.encode(state), isRetained: isRetained)
    }
}
