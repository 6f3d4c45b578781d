// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A request to the service that publishes a stream, for the stored records of many widgets.
///
/// `from` contains the first requested sequence number of each widget. If records from this number on are no longer
/// stored, the widget's oldest stored record covers their range too. All later records of the widget follow.
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

/// A request for the last record of each widget in ``widgets``; if ``widgets`` is nil, of all widgets.
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

/// A page of a stream's records; together with its contents, it is smaller than 1 MiB.
///
/// The records of each widget are in ascending order of their sequence numbers.
public struct Records<Payload: EventPayload>: Codable, Hashable, Sendable {
    public var records: [Event<Payload>]
    /// References to the contents of the records; the JSON of each content follows once, in a separate frame.
    public var contents: [ContentReference]?
    /// A Boolean value that indicates whether there are more records than those on this page; the requester sends
    /// another request for them.
    public var more: Bool
    /// The offset of the latest update at the time when the page was read; nil if the records are not updates.
    public var end: StreamOffset?

    public init(records: [Event<Payload>], contents: [ContentReference]? = nil, more: Bool, end: StreamOffset? = nil) {
        self.records = records
        self.contents = contents
        self.more = more
        self.end = end
    }
}
