// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The payload of an event; it is encoded as the event's member `data`.
public protocol EventPayload: Codable, Hashable, Sendable {
    /// The CloudEvents attribute `type` with its major version, such as `tidings.update.v1`.
    ///
    /// The value is a constant, which does not change if the Swift type is renamed.
    static var eventType: String { get }
    /// The service that publishes the event.
    static var publisher: ServiceName { get }
}

/// One CloudEvents 1.0 event in structured mode: the second frame of a message.
///
/// The attribute `sequence` is a CloudEvents extension. Unknown attributes are ignored.
public struct Event<Payload: EventPayload>: Hashable, Sendable {
    public static var specificationVersion: String { "1.0" }

    /// The id of the event, which consumers do not use to detect duplicates.
    ///
    /// For an event of a stream, such as an update, the id consists of the topic and the range of cycles. For all other
    /// events, it consists of the topic, a nonce and a counter. The publisher chooses the nonce when it starts.
    public var id: String
    /// The CloudEvents attribute `source`, which names the publishing service: `/tidings/SERVICE`.
    public var source: String
    /// The id of the widget, or the name of another subject of the event; nil if the event has no subject.
    public var subject: String?
    /// The time of the event, as RFC 3339 text that is parsed only if needed.
    public var time: String
    /// The range of cycles that the event covers; nil if the event belongs to no stream.
    public var range: SequenceRange?
    /// The offset of an update, counted over the updates of all widgets; nil for events that are not updates.
    public var offset: StreamOffset?
    public var data: Payload

    public init(id: String, subject: String?, time: Instant, range: SequenceRange?, data: Payload) {
        self.id = id
        source = "/tidings/\(Payload.publisher.rawValue)"
        self.subject = subject
        self.time = time.description
        self.range = range
        self.data = data
    }

    /// Creates an event of a stream, such as an update.
    ///
    /// The id of the event consists of the topic and the range.
    public init(
        _ topic: Topic,
        widget: WidgetID,
        range: SequenceRange,
        offset: StreamOffset? = nil,
        time: Instant,
        data: Payload
    ) {
        self.init(id: "\(topic)\(range)", subject: widget.rawValue, time: time, range: range, data: data)
        self.offset = offset
    }

    /// Creates an event that belongs to no stream.
    ///
    /// The id of the event consists of the topic, the nonce that the publisher chose when it started, and the
    /// publisher's counter.
    public init(_ topic: Topic, subject: String?, nonce: String, counter: UInt64, time: Instant, data: Payload) {
        self.init(id: "\(topic)\(nonce)-\(counter)", subject: subject, time: time, range: nil, data: data)
    }
}

extension Event: Codable {
    private enum CodingKeys: String, CodingKey {
        case specversion, id, source, type, subject, time, data
        case sequence, first, epoch, offset
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let version = try container.decode(String.self, forKey: .specversion)
        guard version == Self.specificationVersion else {
            throw WireError.unknownType(found: "CloudEvents \(version)", expected: "CloudEvents 1.0")
        }
        let type = try container.decode(String.self, forKey: .type)
        guard type == Payload.eventType else {
            throw WireError.unknownType(found: type, expected: Payload.eventType)
        }
        id = try container.decode(String.self, forKey: .id)
        source = try container.decode(String.self, forKey: .source)
        subject = try container.decodeIfPresent(String.self, forKey: .subject)
        time = try container.decode(String.self, forKey: .time)
        data = try container.decode(Payload.self, forKey: .data)
        if let sequence = try container.decodeIfPresent(SequenceNumber.self, forKey: .sequence) {
            let first = try container.decodeIfPresent(SequenceNumber.self, forKey: .first) ?? sequence
            guard let range = SequenceRange(first: first, sequence: sequence) else {
                throw DecodingError.dataCorruptedError(
                    forKey: .first,
                    in: container,
                    debugDescription: "\(first) to \(sequence) is not a range of cycles"
                )
            }
            self.range = range
        }
        let epoch = try container.decodeIfPresent(StreamEpoch.self, forKey: .epoch)
        let number = try container.decodeIfPresent(SequenceNumber.self, forKey: .offset)
        if let epoch, let number { offset = StreamOffset(epoch: epoch, number: number.number) }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(Self.specificationVersion, forKey: .specversion)
        try container.encode(id, forKey: .id)
        try container.encode(source, forKey: .source)
        try container.encode(Payload.eventType, forKey: .type)
        try container.encodeIfPresent(subject, forKey: .subject)
        try container.encode(time, forKey: .time)
        try container.encodeIfPresent(range?.sequence, forKey: .sequence)
        try container.encodeIfPresent(range?.first, forKey: .first)
        try container.encodeIfPresent(offset?.epoch, forKey: .epoch)
        try container.encodeIfPresent(offset.map { SequenceNumber($0.number) }, forKey: .offset)
        try container.encode(data, forKey: .data)
    }
}

extension Event {
    /// The widget that is the event's subject; nil if the subject is not a widget id.
    public var widget: WidgetID? { subject.flatMap(WidgetID.init(rawValue:)) }
}
