// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WidgetSchema

/// The state of a widget or a board at a broker: one JSON object, from which Home Assistant's sensors take their values.
struct MQTTState: Codable, Hashable, Sendable {
    /// The maximum length of a sensor's state in Home Assistant, in characters; a longer state is an error.
    static let maximumHeadline = 255
    /// The maximum size of a state, in bytes.
    ///
    /// Home Assistant does not record attributes of more than 16,384 bytes.
    static let maximumBytes = 16_384

    /// The one-line summary of a widget; empty for a board.
    var headline: String
    var result: UpdateResult?
    var reason: String?
    var hasContent: Bool?
    /// The date of the newest content of a widget, or of the last visible change of a board; null if it is unknown.
    var contentDate: Instant?
    /// The next time at which the widget may look different without new content; null if there is none.
    var nextChange: Instant?
    /// The time of the event.
    var time: String
    var sequence: SequenceNumber?
    /// The digest of the picture that was published last; null if there is none.
    var picture: String?

    private enum CodingKeys: String, CodingKey {
        case headline, result, reason, hasContent, contentDate, nextChange, time, sequence, picture
    }

    /// Writes each member, nil as null: a template of Home Assistant needs the member.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(headline, forKey: .headline)
        try container.encode(result, forKey: .result)
        try container.encode(reason, forKey: .reason)
        try container.encode(hasContent, forKey: .hasContent)
        try container.encode(contentDate, forKey: .contentDate)
        try container.encode(nextChange, forKey: .nextChange)
        try container.encode(time, forKey: .time)
        try container.encode(sequence, forKey: .sequence)
        try container.encode(picture, forKey: .picture)
    }

    /// Returns a text with at most ``maximumHeadline`` Unicode scalars, which Home Assistant counts.
    static func shortened(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard scalars.count > maximumHeadline else { return text }
        return String(String.UnicodeScalarView(scalars.prefix(maximumHeadline - 1))) + "…"
    }
}

/// The event of an update, for Home Assistant's event entity; never retained, because the entity ignores retained ones.
private struct MQTTEvent: Encodable {
    var type: UpdateResult
    var reason: String
    var changed: [DisplayName]
    var summary: String
    var sequence: SequenceNumber?
    /// The id of the delivery, the same if the event is sent again.
    var id: String

    private enum CodingKeys: String, CodingKey {
        // The name is Home Assistant's.
        case type = "event_type"
        case reason, changed, summary, sequence, id
    }
}

/// The messages for one delivery.
struct MQTTDelivery: Hashable, Sendable {
    let subject: DeliverySubject
    var state: MQTTState
    /// The display whose picture is published; nil for none.
    let display: DisplayName?
    /// The digest of the picture.
    let digest: String?
    /// The address of a board's picture; nil for a widget, and if the configuration names no gateway.
    let address: String?
    private let event: MQTTMessage?

    /// Creates the messages for an attempt; `display` selects the picture, or the first display of the widget if it is
    /// nil.
    init(_ attempt: DeliveryAttempt, display: DisplayName?, topics: MQTTTopics) throws(WireError) {
        subject = attempt.subject
        guard case .widget = attempt.subject else {
            let board = try WireJSON.decode(BoardHead.self, from: attempt.body)
            state = MQTTState(
                headline: "",
                contentDate: board.data.lastChange,
                nextChange: board.data.nextChange,
                time: board.time,
                sequence: board.sequence
            )
            (self.display, digest, event) = (nil, board.data.digest, nil)
            address = board.pictureurl
            return
        }
        let update = try WireJSON.decode(Event<Update>.self, from: attempt.body)
        let shown = update.data.displays.filter { $0.value.board == nil }
        let chosen = display ?? shown.keys.min()
        let displayState = chosen.flatMap { update.data.displays[$0] }
        self.display = displayState == nil ? nil : chosen
        digest = displayState?.digest.description
        address = nil
        state = MQTTState(
            headline: MQTTState.shortened(displayState?.summary ?? update.data.summary),
            result: update.data.result,
            reason: update.data.reason.rawValue,
            hasContent: update.data.hasContent,
            contentDate: update.data.contentDate,
            nextChange: displayState?.nextChange ?? shown.values.compactMap(\.nextChange).min(),
            time: update.time,
            sequence: update.range?.sequence
        )
        // A state that is sent again is no event.
        guard !attempt.isState else {
            event = nil
            return
        }
        let payload = MQTTEvent(
            type: update.data.result,
            reason: update.data.reason.rawValue,
            changed: update.data.changed,
            summary: state.headline,
            sequence: update.range?.sequence,
            id: attempt.message
        )
        event = MQTTMessage(topics.event(subject), try WireJSON.encode(payload), isRetained: false)
    }

    /// The members of a board's event.
    private struct BoardHead: Decodable {
        struct Body: Decodable {
            var digest: String?
            var lastChange: Instant?
            var nextChange: Instant?
        }

        var time: String
        var sequence: SequenceNumber?
        /// The address of the picture, which the service adds.
        var pictureurl: String?
        var data: Body
    }

    /// Returns the messages in the order in which they are published.
    ///
    /// The state follows the picture, so a state that the broker has kept proves that it has the picture. `picture` is the
    /// picture as PNG, nil if it did not change or there is none. `kept` is the digest of the picture that the broker has,
    /// nil if it has none.
    func messages(_ topics: MQTTTopics, picture: Data?, kept: String?) throws(WireError) -> [MQTTMessage] {
        var state = state
        var messages: [MQTTMessage] = []
        if case .board = subject {
            state.picture = digest
            if let address, digest != kept {
                messages.append(MQTTMessage(topics.address(subject), address, isRetained: true))
            }
        } else {
            state.picture = picture == nil ? kept : digest
        }
        if let picture { messages.append(MQTTMessage(topics.picture(subject), picture, isRetained: true)) }
        messages.append(MQTTMessage(topics.state(subject), try WireJSON.encode(state), isRetained: true))
        if let event { messages.append(event) }
        return messages
    }
}
