// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import WidgetSchema

/// One request for replays of many widgets.
public struct ReplayAsk: Hashable, Sendable {
    /// Names the ask towards `StreamPositions`; it does not go over the wire.
    public var id: UInt64
    /// The number from which each widget is replayed.
    public var from: [WidgetID: SequenceNumber]
    /// Those whose producer's head is behind the consumer: the producer was restored, and notices it by being asked.
    public var producerBehind: Set<WidgetID>

    public init(id: UInt64, from: [WidgetID: SequenceNumber], producerBehind: Set<WidgetID> = []) {
        self.id = id
        self.from = from
        self.producerBehind = producerBehind
    }
}
