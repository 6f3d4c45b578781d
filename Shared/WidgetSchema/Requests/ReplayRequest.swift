// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A request to the producer of a stream for the records of many widgets, from a sequence number of each widget on.
///
/// The first record of a widget covers the range from the requested number to the oldest stored record. Each later
/// record follows.
public struct ReplayRequest<Payload: EventPayload>: RequestBody {
    public static var name: String { "replay" }
    public typealias Result = Records<Payload>

    public var from: [WidgetID: SequenceNumber]

    public init(from: [WidgetID: SequenceNumber]) {
        self.from = from
    }
}

/// A request to the notifier for the updates after a position in the stream of all widgets.
///
/// The answer is in ascending order of the offsets. If earlier updates of a widget are no longer stored, the range of
/// its oldest stored update covers them.
public struct UpdatesRequest: RequestBody {
    public static var name: String { "replay" }
    public typealias Result = Records<Update>

    public var since: StreamOffset

    public init(since: StreamOffset) { self.since = since }
}

/// A request for the last record of each widget, or of the named widgets.
public struct SnapshotRequest<Payload: EventPayload>: RequestBody {
    public static var name: String { "snapshot" }
    public typealias Result = Records<Payload>

    public var widgets: [WidgetID]?
    /// The last widget of the previous page; nil for the first page.
    public var after: WidgetID?

    public init(widgets: [WidgetID]? = nil, after: WidgetID? = nil) {
        self.widgets = widgets
        self.after = after
    }
}

/// A page of a stream's records, below 1 MiB including its contents; the records of each widget ascend by sequence
/// number.
public struct Records<Payload: EventPayload>: Codable, Hashable, Sendable {
    public var records: [Event<Payload>]
    /// The contents that follow as frames, each content once.
    public var contents: [ContentReference]?
    /// A Boolean value that indicates whether there are more records after the last one, for which the requester sends
    /// another request.
    public var more: Bool
    /// The last position in the stream of updates when the page was read; nil for other streams.
    public var end: StreamOffset?

    public init(records: [Event<Payload>], contents: [ContentReference]? = nil, more: Bool, end: StreamOffset? = nil) {
        self.records = records
        self.contents = contents
        self.more = more
        self.end = end
    }
}
