// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A request for stored records of many widgets, sent to the service that publishes the stream of these records.
///
/// `from` contains the first requested sequence number of each widget. The answer contains the records of each widget
/// from this number on, including it, as far as they fit on one page. If the oldest of these records are no longer
/// stored, the range of the widget's first record in the answer is extended: it begins at the requested number, and the
/// answer has no gap.
public struct ReplayRequest<Payload: EventPayload>: RequestBody {
    public static var name: String { "replay" }
    public typealias Result = Records<Payload>

    public var from: [WidgetID: SequenceNumber]

    public init(from: [WidgetID: SequenceNumber]) {
        self.from = from
    }
}

/// A request to the notifier for the updates of all widgets after the offset `since`, without the update at `since`.
///
/// The updates in the answer are in ascending order of their offsets. If the first updates of a widget are no longer
/// stored, the range of the widget's oldest stored update is extended: it begins at sequence number 1, and the answer
/// has no gap.
public struct UpdatesRequest: RequestBody {
    public static var name: String { "replay" }
    public typealias Result = Records<Update>

    public var since: StreamOffset

    public init(since: StreamOffset) { self.since = since }
}

/// A request for the last record of each widget in ``widgets``, or of every widget if ``widgets`` is nil.
public struct SnapshotRequest<Payload: EventPayload>: RequestBody {
    public static var name: String { "snapshot" }
    public typealias Result = Records<Payload>

    public var widgets: [WidgetID]?
    /// The last widget on the previous page of the answer; nil to request the first page.
    public var after: WidgetID?

    public init(widgets: [WidgetID]? = nil, after: WidgetID? = nil) {
        self.widgets = widgets
        self.after = after
    }
}

/// A page of a stream's records; the records and their contents together have less than 1 MiB.
///
/// The records of each widget are in ascending order of their sequence numbers.
public struct Records<Payload: EventPayload>: Codable, Hashable, Sendable {
    public var records: [Event<Payload>]
    /// References to the contents of the records, each content once; nil if records of this stream have no contents.
    ///
    /// The JSON of each content is in a separate frame after the answer. The frames are in the order of this array.
    public var contents: [ContentReference]?
    /// A Boolean value that indicates whether there are more records than those on this page; the requester sends
    /// another request for them.
    public var more: Bool
    /// The position in the stream of all widgets' updates from which a consumer can continue; nil if the records are
    /// not updates.
    ///
    /// In the pages of a replay, it is the position of the last update in the notifier's store, which can be on a later
    /// page. In a page of a snapshot, it is the position of the last update before the request; the page's records may
    /// be newer.
    public var end: StreamOffset?

    public init(records: [Event<Payload>], contents: [ContentReference]? = nil, more: Bool, end: StreamOffset? = nil) {
        self.records = records
        self.contents = contents
        self.more = more
        self.end = end
    }
}
