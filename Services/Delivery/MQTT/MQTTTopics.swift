// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import Foundation
import WidgetSchema

/// The topics of one destination at its broker: `BASE/widget/ID/…` and `BASE/board/ID/…`.
///
/// No other destination and no other installation may use the base at the same broker, because the sender removes what
/// it finds there of widgets that it does not know.
struct MQTTTopics: Hashable, Sendable {
    let base: String
    /// The prefix of Home Assistant's topics for discovery and for its own state.
    let discovery: String

    /// Creates the topics for a base such as `tidings/home`; nil if the base or the prefix has another form.
    init?(base: String, discovery: String = MQTTTopicPath.defaultDiscovery) {
        guard MQTTTopicPath.isValid(base), MQTTTopicPath.isValid(discovery) else { return nil }
        self.base = base
        self.discovery = discovery
    }

    /// The topic of `online` and `offline`, which is also the topic of the will.
    var availability: String { "\(base)/availability" }

    func state(_ subject: DeliverySubject) -> String { "\(base)/\(subject)/state" }
    func picture(_ subject: DeliverySubject) -> String { "\(base)/\(subject)/picture" }
    /// Returns the topic of the address at which Home Assistant loads the picture of a board.
    func address(_ subject: DeliverySubject) -> String { "\(base)/\(subject)/address" }
    func event(_ subject: DeliverySubject) -> String { "\(base)/\(subject)/event" }
    func command(_ subject: DeliverySubject) -> String { "\(base)/\(subject)/command" }

    /// Returns the topic of the message that the sender sends to itself: when it arrives, all kept messages have arrived.
    func echo(_ nonce: String) -> String { "\(base)/echo/\(nonce)" }

    /// Returns the topic of a device for Home Assistant.
    func discovery(_ subject: DeliverySubject) -> String { "\(discovery)/device/\(deviceID(subject))/config" }

    /// Returns the messages that remove everything that a broker has kept of a subject: an empty message removes a kept one.
    func removal(of subject: DeliverySubject, usesDiscovery: Bool) -> [MQTTMessage] {
        ([state(subject), picture(subject), address(subject)] + (usesDiscovery ? [discovery(subject)] : []))
            .map { MQTTMessage($0, Data(), isRetained: true) }
    }

    /// The topic on which Home Assistant announces its start (its "birth message").
    var birth: String { "\(discovery)/status" }

    /// Returns the id of a device for Home Assistant, which may contain no `/`.
    func deviceID(_ subject: DeliverySubject) -> String {
        String("\(base)/\(subject)".map { $0 == "/" ? "_" : $0 })
    }

    /// Returns the subscriptions of the sender.
    func filters(usesDiscovery: Bool) -> [String] {
        ["\(base)/+/+/state", "\(base)/+/+/command", "\(base)/echo/+"]
            + (usesDiscovery ? [birth, "\(discovery)/device/+/config"] : [])
    }

    /// A topic of the subscriptions.
    enum Place: Hashable {
        case state(DeliverySubject)
        case command(DeliverySubject)
        case echo(nonce: String)
        case birth
        /// The announcement of a device, of any sender, to Home Assistant.
        case discovery
    }

    /// Returns the place that a topic names; nil for any other topic.
    func place(_ topic: String) -> Place? {
        if topic == birth { return .birth }
        if topic.hasPrefix("\(discovery)/device/"), topic.hasSuffix("/config") { return .discovery }
        guard topic.hasPrefix(base + "/") else { return nil }
        let parts = topic.dropFirst(base.count + 1).split(separator: "/", omittingEmptySubsequences: false)
        if parts.count == 2, parts[0] == "echo" { return .echo(nonce: String(parts[1])) }
        guard parts.count == 3, let subject = DeliverySubject("\(parts[0])/\(parts[1])") else { return nil }
        switch parts[2] {
        case "state": return .state(subject)
        case "command": return .command(subject)
        default: return nil
        }
    }
}
