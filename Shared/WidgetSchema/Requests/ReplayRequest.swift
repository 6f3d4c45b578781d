// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A request to the producer of a stream for the stored records of many widgets.
///
/// `from` contains the first requested sequence number of each widget. The first record of a widget covers the range
/// from this number to the oldest stored record. All later records of the widget follow.
public struct ReplayRequest<Payload: EventPayload>: RequestBody {
    public static var name: String { "replay" }
    public typealias Result = Records<Payload>

    public var from: [WidgetID: SequenceNumber]

    public init(from: [WidgetID: SequenceNumber]) {
        self.from = from
    }
}

/// A request to the notifier for the updates of all widgets after an offset.
///
/// The updates in the answer are in ascending order of their offsets. If earlier updates of a widget are no longer
/// stored, the range of the widget's oldest stored update covers them.
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
    /// References to the contents whose JSON follows in separate frames, with each content once.
    public var contents: [ContentReference]?
    /// A Boolean value that indicates whether there are more records than those on this page; the requester sends
    /// another request for them.
    public var more: Bool
    /// The offset of the latest update when the page was read; nil for streams other than that of the updates.
    public var end: StreamOffset?

    public init(records: [Event<Payload>], contents: [ContentReference]? = nil, more: Bool, end: StreamOffset? = nil) {
        self.records = records
        self.contents = contents
        self.more = more
        self.end = end
    }
}
