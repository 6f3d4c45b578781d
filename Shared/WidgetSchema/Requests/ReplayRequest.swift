// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A request to a stream's owner for the records from a sequence number on, for many widgets at once.
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

/// Asks the notifier for the updates behind a position in the stream of all widgets.
///
/// They ascend by their offsets. Where updates of a widget are no longer kept, its first record stands for all of them.
public struct UpdatesRequest: RequestBody {
    public static var name: String { "replay" }
    public typealias Result = Records<Update>

    public var since: StreamOffset

    public init(since: StreamOffset) { self.since = since }
}

/// Asks for the last record of each widget, or of those named.
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

/// A page of a stream's records, below 1 MiB with its contents; ascending by sequence within each widget.
public struct Records<Payload: EventPayload>: Codable, Hashable, Sendable {
    public var records: [Event<Payload>]
    /// The contents that follow as frames, each one once.
    public var contents: [ContentReference]?
    /// A Boolean value that indicates whether there are more records: the requester continues after the last one.
    public var more: Bool
    /// The last position of the stream of updates when the page was read; nil for other streams.
    public var end: StreamOffset?

    public init(records: [Event<Payload>], contents: [ContentReference]? = nil, more: Bool, end: StreamOffset? = nil) {
        self.records = records
        self.contents = contents
        self.more = more
        self.end = end
    }
}
