// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import WidgetSchema

/// One request for replays of many widgets.
public struct CatchUpRequest: Hashable, Sendable {
    /// The number that identifies the request in `StreamPositions`; it is not sent to the producer.
    public var id: UInt64
    /// The sequence number at which the replay of each widget starts.
    public var from: [WidgetID: SequenceNumber]
}
