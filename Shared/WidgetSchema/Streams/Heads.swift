// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The payload of an event on `heads/SERVICE/`: the latest sequence number of each widget in the service's stream.
///
/// The cache sends ``CacheHeads``, and the notifier sends ``NotifierHeads``.
public protocol HeadsPayload: EventPayload {
    var heads: [WidgetID: Head] { get }
}

/// The payload of `heads/cache/`: for each widget, the sequence number of the latest cycle that the cache committed.
public struct CacheHeads: HeadsPayload {
    public static let eventType = "tidings.heads.v1"
    public static let publisher = ServiceName.cache

    public var heads: [WidgetID: Head]

    public init(heads: [WidgetID: Head]) {
        self.heads = heads
    }
}

/// The payload of `heads/notifier/`: for each widget, the sequence number of the latest update that the notifier
/// committed.
public struct NotifierHeads: HeadsPayload {
    public static let eventType = "tidings.heads.v1"
    public static let publisher = ServiceName.notifier

    public var heads: [WidgetID: Head]
    /// The offset of the latest update that the notifier committed; the updates of all widgets are counted together.
    ///
    /// Nil if the event is from an earlier version of the notifier, which did not number the updates.
    public var end: StreamOffset?

    public init(heads: [WidgetID: Head], end: StreamOffset? = nil) {
        self.heads = heads
        self.end = end
    }
}

/// The latest sequence number of one widget in the stream of cycles or in the stream of updates.
public struct Head: Codable, Hashable, Sendable {
    public var sequence: SequenceNumber
    /// The sequence number of the widget's last update with the result `newData`; nil if no update had this result.
    ///
    /// In ``CacheHeads``, the value is always nil.
    public var lastNewData: SequenceNumber?

    public init(sequence: SequenceNumber, lastNewData: SequenceNumber? = nil) {
        self.sequence = sequence
        self.lastNewData = lastNewData
    }
}
