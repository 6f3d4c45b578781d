// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A request for the records of many widgets from a sequence number on, sent to the producer of a stream.
///
/// The answer for a widget starts at the requested number: one range up to the oldest stored record, then each later
/// record.
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
/// They are in ascending order of their offsets. If earlier updates of a widget are no longer stored, its first record
/// replaces them.
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
    /// The last widget of the previous page.
    public var after: WidgetID?

    public init(widgets: [WidgetID]? = nil, after: WidgetID? = nil) {
        self.widgets = widgets
        self.after = after
    }
}

/// A page of a stream's records, below 1 MiB including its contents; ascending by sequence number within each widget.
public struct Records<Payload: EventPayload>: Codable, Hashable, Sendable {
    public var records: [Event<Payload>]
    /// The contents that follow as frames, each content once.
    public var contents: [ContentReference]?
    /// A Boolean value that indicates whether there are more records: the requester continues after the last one.
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
