// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import WidgetSchema

/// One request for replays of many widgets.
public struct ReplayAsk: Hashable, Sendable {
    /// The number that identifies the request in `StreamPositions`; it is not sent to the producer.
    public var id: UInt64
    /// The sequence number at which the replay of each widget starts.
    public var from: [WidgetID: SequenceNumber]
    /// The widgets for which the producer's latest sequence number (its head) is lower than the consumer's position.
    ///
    /// A request for these widgets shows the producer that its store was restored from a backup.
    public var producerBehind: Set<WidgetID>

    public init(id: UInt64, from: [WidgetID: SequenceNumber], producerBehind: Set<WidgetID> = []) {
        self.id = id
        self.from = from
        self.producerBehind = producerBehind
    }
}
