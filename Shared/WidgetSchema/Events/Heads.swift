// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The payload of a heads event: the latest sequence number of each widget in a stream.
///
/// Each service that sends such events has its own payload type.
public protocol HeadsPayload: EventPayload {
    init(heads: [WidgetID: Head])
    var heads: [WidgetID: Head] { get }
}

/// The latest cycle of each widget that the cache has committed, published as `heads/cache/`.
public struct CacheHeads: HeadsPayload {
    public static let eventType = "tidings.heads.v1"
    public static let publisher = ServiceName.cache

    public var heads: [WidgetID: Head]

    public init(heads: [WidgetID: Head]) {
        self.heads = heads
    }
}

/// The latest update of each widget that the notifier has committed, published as `heads/notifier/`.
public struct NotifierHeads: HeadsPayload {
    public static let eventType = "tidings.heads.v1"
    public static let publisher = ServiceName.notifier

    public var heads: [WidgetID: Head]
    /// The position of the latest update in the stream of all widgets; nil if the notifier's version does not number
    /// that stream.
    public var end: StreamOffset?

    public init(heads: [WidgetID: Head]) {
        self.heads = heads
    }

    public init(heads: [WidgetID: Head], end: StreamOffset) {
        self.heads = heads
        self.end = end
    }
}

/// The latest sequence number of a stream for one widget.
public struct Head: Codable, Hashable, Sendable {
    public var sequence: SequenceNumber
    /// The sequence number of the widget's last update with the result `newData`; nil if there was none, or if the
    /// stream is not that of the updates.
    public var lastNewData: SequenceNumber?

    public init(sequence: SequenceNumber, lastNewData: SequenceNumber? = nil) {
        self.sequence = sequence
        self.lastNewData = lastNewData
    }
}
