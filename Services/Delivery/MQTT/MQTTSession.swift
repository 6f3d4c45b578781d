// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WidgetSchema

/// The decisions about one connection to a broker: what is announced, what the broker has kept, and what people command.
///
/// It is a pure value. After a connection it reads what the broker has kept, because a broker that was killed may have
/// lost it, or have an older state. A picture is published only if the broker has another one: Home Assistant takes each
/// publication for a change.
struct MQTTSession: Sendable {
    enum Action: Hashable, Sendable {
        case publish([MQTTMessage])
        case command(WidgetID, Command)
        /// Tells what the broker has kept of each subject; nil if it has kept nothing.
        case report([DeliverySubject: KeptState?])
        /// Indicates that deliveries can be published from now on.
        case ready
    }

    private enum Phase: Hashable {
        case disconnected
        /// Kept messages arrive; the message with this nonce is the last.
        case reading(nonce: String)
        case ready
    }

    /// The member of a discovery message that identifies the sender of the device.
    private struct Announcement: Decodable {
        private enum CodingKeys: String, CodingKey {
            case availability = "availability_topic"
        }

        var availability: String?
    }

    /// The maximum number of unknown subjects that are removed after a connection.
    static let maximumUnknown = 10_000

    let topics: MQTTTopics
    /// The subjects of the destination, with their devices.
    let devices: [DeliverySubject: HomeAssistantDevice]
    let usesDiscovery: Bool
    private let version: String
    /// The topics with which the devices are announced to Home Assistant.
    private let announced: Set<String>

    private var phase = Phase.disconnected
    private var kept: [DeliverySubject: MQTTState] = [:]
    /// The topics of this sender's devices that the broker has kept, and that are not announced any more.
    private var oldDevices: Set<String> = []
    /// The digest of the picture that the broker has.
    private var pictures: [DeliverySubject: String] = [:]

    init(topics: MQTTTopics, devices: [HomeAssistantDevice], usesDiscovery: Bool, version: String) {
        self.topics = topics
        self.devices = Dictionary(devices.map { ($0.subject, $0) }) { first, _ in first }
        self.usesDiscovery = usesDiscovery
        self.version = version
        announced = Set(devices.map { topics.discovery($0.subject) })
    }

    var isReady: Bool { phase == .ready }

    /// Returns the digest of the picture that the broker has of a subject; nil if it has none.
    func picture(of subject: DeliverySubject) -> String? { pictures[subject] }

    /// Begins a connection; the subscriptions have been sent.
    mutating func connected(nonce: String) throws(WireError) -> [Action] {
        phase = .reading(nonce: nonce)
        (kept, pictures, oldDevices) = ([:], [:], [])
        return [.publish(try announcements() + [MQTTMessage(topics.echo(nonce), nonce, isRetained: false)])]
    }

    mutating func disconnected() {
        phase = .disconnected
        (kept, pictures, oldDevices) = ([:], [:], [])
    }

    /// Handles a message from the broker, which may be anything.
    mutating func received(_ message: MQTTMessage) throws(WireError) -> [Action] {
        switch topics.place(message.topic) {
        case .state(let subject):
            // The sender's own states arrive here as well; only those that were kept count.
            guard message.isRetained, case .reading = phase, kept.count < Self.maximumUnknown + devices.count,
                message.payload.count <= MQTTState.maximumBytes
            else { return [] }
            let state = try? WireJSON.decode(MQTTState.self, from: message.payload)
            kept[subject] = state ?? MQTTState(headline: "", time: "")
            return []
        case .discovery:
            guard message.isRetained, case .reading = phase, oldDevices.count < Self.maximumUnknown,
                !announced.contains(message.topic),
                let device = try? WireJSON.decode(Announcement.self, from: message.payload),
                device.availability == topics.availability
            else { return [] }
            oldDevices.insert(message.topic)
            return []
        case .echo(let nonce):
            return phase == .reading(nonce: nonce) ? settle() : []
        case .birth:
            guard usesDiscovery, isReady, message.payload == Data("online".utf8) else { return [] }
            return [.publish(try announcements())]
        case .command(let subject):
            // A command that the broker has kept was meant for another time.
            guard !message.isRetained, case .widget(let widget) = subject, devices[subject] != nil,
                let command = MQTTCommand(message.payload)
            else { return [] }
            return [.command(widget, command.command)]
        case nil:
            return []
        }
    }

    /// Ends the reading of kept messages, if the broker does not return the sender's own message.
    mutating func overdue() -> [Action] {
        if case .reading = phase { settle() } else { [] }
    }

    /// Records that the broker has acknowledged a delivery with a picture.
    mutating func published(_ subject: DeliverySubject, picture digest: String) {
        if isReady { pictures[subject] = digest }
    }

    private mutating func settle() -> [Action] {
        phase = .ready
        for (subject, state) in kept where devices[subject] != nil { pictures[subject] = state.picture }
        var actions: [Action] = []
        let unknown = kept.keys.filter { devices[$0] == nil }.sorted()
        let removals =
            unknown.flatMap { topics.removal(of: $0, usesDiscovery: usesDiscovery) }
            + oldDevices.subtracting(unknown.map { topics.discovery($0) }).sorted()
            .map { MQTTMessage($0, Data(), isRetained: true) }
        if !removals.isEmpty { actions.append(.publish(removals)) }
        var report: [DeliverySubject: KeptState?] = [:]
        for subject in devices.keys {
            let state = kept[subject].map { KeptState(sequence: $0.sequence, digest: $0.picture) }
            report.updateValue(state, forKey: subject)
        }
        (kept, oldDevices) = ([:], [])
        return actions + [.ready, .report(report)]
    }

    private func announcements() throws(WireError) -> [MQTTMessage] {
        var messages: [MQTTMessage] = []
        if usesDiscovery {
            for subject in devices.keys.sorted() {
                guard let device = devices[subject] else { continue }
                messages.append(try device.discovery(topics, version: version))
            }
        }
        return messages + [MQTTMessage(topics.availability, "online", isRetained: true)]
    }
}
