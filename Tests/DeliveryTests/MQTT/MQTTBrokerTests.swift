// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import Foundation
import HTTPTransport
import Locking
import MessageBus
import TestSupport
import Testing
import WidgetSchema

@testable import Delivery

/// Deliveries to a real broker.
@Suite(.serialized, .timeLimit(.minutes(5))) struct MQTTBrokerTests {
    private static let state = "tidings/home/widget/news/state"

    @Test func aDeliveryIsDoneWhenTheBrokerHasAllItsMessages() async throws {
        try await withBroker { broker in
            let reader = try await broker.reader("tidings/#")
            let home = try Home(broker)
            #expect(await home.send(try PushSamples.attempt()) == .delivered)
            let availability = try await reader.next(on: "tidings/home/availability")
            #expect(availability.text == "online")
            let picture = try await reader.next(on: "tidings/home/widget/news/picture")
            #expect(picture.payload == Pictures.png)
            let state = try WireJSON.decode(MQTTState.self, from: try await reader.next(on: Self.state).payload)
            #expect(state.headline == "One headline")
            #expect(try await reader.next().topic == "tidings/home/widget/news/event")
            // A later reader gets the state and the picture, and no event.
            let late = try await broker.reader("tidings/#")
            let kept = [try await late.next(), try await late.next(), try await late.next()]
            #expect(!kept.map(\.isRetained).contains(false))
            #expect(
                Set(kept.map(\.topic)) == [
                    "tidings/home/availability", "tidings/home/widget/news/picture", Self.state,
                ]
            )
            home.sender.stop()
        }
    }

    @Test func anUnchangedPictureIsNotPublishedAgain() async throws {
        try await withBroker { broker in
            let first = try Home(broker)
            #expect(await first.send(try PushSamples.attempt()) == .delivered)
            #expect(await first.send(try PushSamples.attempt(sequence: 8)) == .delivered)
            #expect(first.pictures.count == 1)
            first.sender.stop()
            // Another process finds out from the broker which picture it has.
            let second = try Home(broker)
            #expect(await second.send(try PushSamples.attempt(sequence: 9)) == .delivered)
            #expect(second.pictures.count == 0)
            #expect(try await second.nextKept() == [try MQTTSessionTests.subject("news"): 8])
            let digest = try #require(ContentDigest(String(repeating: "b", count: 64)))
            let changed = try PushSamples.attempt(sequence: 10) { update in
                for name in update.displays.keys { update.displays[name]?.digest = digest }
            }
            #expect(await second.send(changed) == .delivered)
            #expect(second.pictures.count == 1)
            second.sender.stop()
        }
    }

    // A broker that is killed forgets what it has not written yet: the sender finds out, and the service sends it again.
    @Test func aBrokerThatWasKilledGetsTheStateAgain() async throws {
        try await withBroker { broker in
            let home = try Home(broker)
            #expect(await home.send(try PushSamples.attempt()) == .delivered)
            #expect(try await home.nextKept() == [try MQTTSessionTests.subject("news"): nil])
            try await broker.stop(SIGKILL)
            #expect(try await home.nextConnection { $0 != nil } != nil)
            #expect(OutcomeKind(await home.send(try PushSamples.attempt(sequence: 8))) == .retry)
            try await broker.start()
            #expect(try await home.nextKept() == [try MQTTSessionTests.subject("news"): nil])
            #expect(await home.send(try PushSamples.attempt(sequence: 8)) == .delivered)
            #expect(home.pictures.count == 2, "the broker had lost the picture")
            // A broker that ends in an orderly way has written its state.
            try await broker.stop(SIGTERM)
            #expect(try await home.nextConnection { $0 != nil } != nil)
            try await broker.start()
            #expect(try await home.nextKept() == [try MQTTSessionTests.subject("news"): 8])
            #expect(await home.send(try PushSamples.attempt(sequence: 9)) == .delivered)
            #expect(home.pictures.count == 2)
            let reader = try await broker.reader("tidings/#")
            let state = try WireJSON.decode(MQTTState.self, from: try await reader.next(on: Self.state).payload)
            #expect(state.sequence == 9)
            home.sender.stop()
        }
    }

    @Test func aTestWithAWidgetThatTheDestinationDoesNotHaveIsRejected() async throws {
        try await withBroker { broker in
            let home = try Home(broker)
            #expect(await home.check() == .delivered)
            var attempt = try PushSamples.attempt("other")
            attempt.isTest = true
            #expect(OutcomeKind(await home.send(attempt)) == .rejected)
            home.sender.stop()
        }
    }

    @Test func aSenderThatDisappearsIsOfflineAndOneThatStopsAsWell() async throws {
        try await withBroker { broker in
            let reader = try await broker.reader("tidings/home/availability")
            let home = try Home(broker)
            #expect(await home.check() == .delivered)
            #expect(try await reader.next().text == "online")
            home.sender.stop()
            #expect(try await reader.next().text == "offline")
            // Another client with the same id takes the connection over; the will follows.
            // The first one may still be leaving, and its will follows as well.
            let second = try Home(broker)
            #expect(await second.check() == .delivered)
            var text: String
            repeat {
                text = try await reader.next().text
            } while text == "offline"
            #expect(text == "online")
            let third = try Home(broker)
            #expect(await third.check() == .delivered)
            var seen: [String] = []
            while seen.suffix(2) != ["offline", "online"] { seen.append(try await reader.next().text) }
            second.sender.stop()
            third.sender.stop()
        }
    }

    @Test func commandsAndHomeAssistantsBirthArrive() async throws {
        try await withBroker { broker in
            let home = try Home(broker)
            #expect(await home.check() == .delivered)
            try await broker.publish("tidings/home/widget/news/command", "refresh")
            let command = try await home.nextCommand()
            #expect(command.0.rawValue == "news")
            #expect(command.1 == .refresh)
            let reader = try await broker.reader("homeassistant/device/#")
            #expect(try await reader.next().isRetained, "discovery is kept")
            try await broker.publish("homeassistant/status", "online")
            let again = try await reader.next()
            #expect(!again.isRetained)
            #expect(again.topic == "homeassistant/device/tidings_home_widget_news/config")
            home.sender.stop()
        }
    }

    @Test func aRemovedWidgetDisappearsFromTheBroker() async throws {
        try await withBroker { broker in
            let both = try Home(broker, ["news", "old"])
            #expect(await both.send(try PushSamples.attempt("old")) == .delivered)
            both.sender.stop()
            let reader = try await broker.reader("+/+/+/old/state")
            #expect(try await reader.next().isRetained)
            let one = try Home(broker)
            #expect(await one.check() == .delivered)
            #expect(try await reader.next().payload.isEmpty)
            one.sender.stop()
        }
    }

    @Test func tlsNeedsTheRightCertificateAndUsersTheRightPassword() async throws {
        try await withBroker(usesTLS: true) { broker in
            let home = try Home(broker)
            #expect(await home.send(try PushSamples.attempt()) == .delivered)
            home.sender.stop()
            let untrusting = try Home(broker) { $0.certificateFile = "/etc/ssl/certs/ca-certificates.crt" }
            #expect(OutcomeKind(await untrusting.check()) == .retry)
            untrusting.sender.stop()
            let stranger = try Home(broker) { $0.password = "canary-wrong" }
            let reason = await stranger.check()
            #expect(OutcomeKind(reason) == .retry)
            #expect(!"\(reason)".contains("canary"))
            #expect(!stranger.shown.contains("canary"))
            #expect(try await stranger.nextConnection { $0 != nil }?.contains("rejected the connection") == true)
            stranger.sender.stop()
        }
    }

    @Test func aPrivateBrokerIsContactedOnlyIfThatIsAllowed() async throws {
        try await withBroker { broker in
            let home = try Home(broker) {
                $0.allowPrivateNetworks = false
                $0.allowedAddresses = []
            }
            let outcome = await home.check()
            #expect(OutcomeKind(outcome) == .retry)
            #expect(try await home.nextConnection { $0 != nil }?.contains("not public (loopback)") == true)
            home.sender.stop()
        }
    }

    private func withBroker(usesTLS: Bool = false, _ body: (Mosquitto) async throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            let broker = try await Mosquitto(in: folder, usesTLS: usesTLS)
            try await body(broker)
        }
    }
}

/// The pictures of widgets; each is the same.
private final class Pictures: PictureProvider {
    static let png = Data([0x89, 0x50, 0x4E, 0x47, 0, 0xFF])
    private let requests = Lock(0)

    var count: Int { requests.withLock(\.self) }

    func picture(of request: PictureRequest, completion: @escaping @Sendable (Data?) -> Void) {
        requests.withLock { $0 += 1 }
        completion(Self.png)
    }
}

/// A sender to a broker, with what it tells the service.
private struct Home {
    let sender: MQTTSender
    /// The text that a log would show of the configuration.
    let shown: String
    let pictures = Pictures()
    private let commands = Inbox<(WidgetID, Command)>(maximumCount: 100, maximumBytes: .max)
    private let kept = Inbox<[DeliverySubject: KeptState?]>(maximumCount: 100, maximumBytes: .max)
    private let connections = Inbox<String?>(maximumCount: 1_000, maximumBytes: .max)

    init(_ broker: Mosquitto, _ widgets: [String] = ["news"], _ change: (inout MQTTConfiguration) -> Void = { _ in })
        throws
    {
        let text = broker.usesTLS ? "mqtts://localhost:\(broker.port)" : "mqtt://127.0.0.1:\(broker.port)"
        let destination = MQTTDestination(
            name: try #require(DestinationName(rawValue: "home")),
            address: try #require(MQTTAddress(text)),
            homeAssistant: true,
            user: Mosquitto.user,
            password: Mosquitto.password,
            certificateFile: broker.certificateFile,
            allowPrivateNetworks: true,
            devices: try widgets.map {
                let subject = try MQTTSessionTests.subject($0)
                return HomeAssistantDevice(subject: subject, name: $0, kind: .feed, hasPicture: true)
            }
        )
        let hooks = MQTTSender.Hooks(
            command: { [commands] in commands.post(($0, $1)) },
            kept: { [kept] in kept.post($0) },
            connection: { [connections] in connections.post($0) }
        )
        var options = try #require(destination.options(version: "1.0", hooks: hooks))
        change(&options.connection)
        var shown = "\(options.connection)"
        dump(options.connection, to: &shown)
        self.shown = shown
        sender = MQTTSender(options, named: "mqtt-test", pictures: pictures)
    }

    func send(_ attempt: DeliveryAttempt) async -> DeliveryOutcome {
        await outcome { sender.send(attempt, completion: $0) }
    }

    func check() async -> DeliveryOutcome {
        await outcome { sender.check(timeout: .seconds(20), completion: $0) }
    }

    func nextCommand() async throws -> (WidgetID, Command) { try await Self.next(commands) }

    /// Waits for what the broker has kept; returns the sequence numbers.
    func nextKept() async throws -> [DeliverySubject: SequenceNumber?] {
        try await Self.next(kept).mapValues { $0?.sequence }
    }

    /// Waits for a change of the connection that fulfils a condition.
    func nextConnection(_ condition: (String?) -> Bool) async throws -> String? {
        while true {
            let change = try await Self.next(connections)
            if condition(change) { return change }
        }
    }

    private static func next<Element: Sendable>(_ inbox: Inbox<Element>) async throws -> Element {
        let deadline = ContinuousClock.now + .seconds(60)
        let element = try await onOwnThread { inbox.nextBatch(maximum: 1, until: deadline).first }
        guard let element else { throw DidNotArrive("a call of the sender") }
        return element
    }
}
