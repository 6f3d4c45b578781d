// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The heads of a stream; each service with a stream has its own payload type.
public protocol HeadsPayload: EventPayload {
    init(heads: [WidgetID: Head])
    var heads: [WidgetID: Head] { get }
}

/// The latest cycles that the cache has committed, `heads/cache/`.
public struct CacheHeads: HeadsPayload {
    public static let eventType = "tidings.heads.v1"
    public static let publisher = ServiceName.cache

    public var heads: [WidgetID: Head]

    public init(heads: [WidgetID: Head]) {
        self.heads = heads
    }
}

/// The latest updates that the notifier has committed, `heads/notifier/`.
public struct NotifierHeads: HeadsPayload {
    public static let eventType = "tidings.heads.v1"
    public static let publisher = ServiceName.notifier

    public var heads: [WidgetID: Head]
    /// The position of the last update of all widgets; nil in versions of the notifier without positions.
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
    /// The sequence number of the last `newData`; nil if there was none, or if this is not the stream of updates.
    public var lastNewData: SequenceNumber?

    public init(sequence: SequenceNumber, lastNewData: SequenceNumber? = nil) {
        self.sequence = sequence
        self.lastNewData = lastNewData
    }
}
