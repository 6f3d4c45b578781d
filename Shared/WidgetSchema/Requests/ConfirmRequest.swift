// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The notifier's request to the cache to confirm that it made cycles.
///
/// If the cache has not made such a cycle, and the widget's latest cycle is not above it, it makes a cycle above it, so
/// that consumers which have handled the wrong cycle go on. The cache answers registered notifiers only.
public struct ConfirmRequest: RequestBody {
    public static let name = "confirm"
    public typealias Result = ConfirmAnswer

    /// A cycle that the notifier has handled.
    public struct Cycle: Codable, Hashable, Sendable {
        public var sequence: SequenceNumber
        /// The time of the cycle's commit; nil if the notifier does not know it.
        public var committed: Instant?

        public init(sequence: SequenceNumber, committed: Instant? = nil) {
            self.sequence = sequence
            self.committed = committed
        }
    }

    /// The last cycle that the notifier has handled of each widget.
    public var widgets: [WidgetID: Cycle]

    public init(widgets: [WidgetID: Cycle]) { self.widgets = widgets }
}

/// The answer to a ``ConfirmRequest``.
public struct ConfirmAnswer: Codable, Hashable, Sendable {
    /// The sequence number of the latest cycle of each widget that was asked for.
    public var heads: [WidgetID: SequenceNumber]
    /// The widgets for which the cache made a cycle because of the request.
    public var raised: [WidgetID]

    public init(heads: [WidgetID: SequenceNumber], raised: [WidgetID] = []) {
        self.heads = heads
        self.raised = raised
    }
}
