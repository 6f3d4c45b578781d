// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import Foundation
import Telemetry
import WebServer
import WidgetSchema

/// One reader of server-sent events.
///
/// Used only on the thread of ``EventHub``.
final class EventReader {
    /// The maximum number of waiting updates that are sent in one chunk; each has about 1 KiB.
    ///
    /// Updates in a chunk that the reader has not accepted yet are no longer merged, so they become old.
    private static let updatesAtOnce = 4
    /// The number of ticks after which a reader no longer counts as slow, if it accepted all updates between any two.
    private static let slowTicks = 30

    let stream: any EventSink
    let filter: EventFilter
    /// The counter of updates that were sent.
    let sent: Counter
    let endsAt: ContinuousClock.Instant
    var heartbeatAt: ContinuousClock.Instant
    /// The offset up to which the reader has all updates; updates up to it are not sent again.
    var position: UInt64 = 0
    private var conflation = Conflation()
    /// The number of ticks until the reader no longer counts as slow.
    private var ticksToGo = 0
    /// A Boolean value that indicates whether the reader has accepted all updates at some time since the last tick.
    private var hasCaughtUp = true

    init(
        stream: any EventSink,
        filter: EventFilter,
        sent: Counter,
        endsAt: ContinuousClock.Instant,
        heartbeatAt: ContinuousClock.Instant
    ) {
        self.stream = stream
        self.filter = filter
        self.sent = sent
        self.endsAt = endsAt
        self.heartbeatAt = heartbeatAt
    }

    /// The number of updates that were merged into others because the reader was slow.
    var merged: Int { conflation.merged }

    /// A Boolean value that indicates whether some updates are stored because the reader was too slow for them.
    var isBehind: Bool { !conflation.isEmpty }

    /// Sends an update that the reader's filter matches.
    ///
    /// `chunk` is the encoded update, which all readers share. If the reader has not accepted all earlier updates yet, or
    /// counts as slow, the update is stored and sent later.
    func send(_ update: StreamedUpdate, _ chunk: WebChunk) {
        guard update.offset > position else { return }
        if conflation.isEmpty, ticksToGo == 0, stream.isDrained {
            stream.write(chunk)
            sent.increment()
        } else {
            conflation.add(update)
        }
    }

    /// Sends pending updates, and finds out whether the reader is slow; called once a second.
    ///
    /// The kernel accepts the updates of many seconds as soon as a slow reader has taken some bytes. A reader that did
    /// not accept all updates for a second is therefore sent updates only once a second, and they are merged in between.
    func tick(epoch: StreamEpoch) {
        ticksToGo = hasCaughtUp || stream.isDrained ? max(0, ticksToGo - 1) : Self.slowTicks
        hasCaughtUp = false
        if stream.isDrained { flush(epoch: epoch) }
    }

    /// Sends pending updates as long as the reader accepts them; `epoch` is the epoch in their event ids.
    ///
    /// The others stay here, where later updates of their widgets are merged with them.
    func flush(epoch: StreamEpoch) {
        hasCaughtUp = true
        while !conflation.isEmpty {
            var bytes = Data()
            var count: Int64 = 0
            for (entry, sentUpTo) in conflation.take(atMost: Self.updatesAtOnce) {
                guard let json = entry.json ?? (try? WireJSON.encode(entry.event)) else { continue }
                let id = StreamOffset(epoch: epoch, number: sentUpTo)
                bytes.append(ServerSentEvent.bytes("update", id: id, data: json))
                count += 1
            }
            sent.increment(by: count)
            guard bytes.isEmpty || stream.write(WebChunk(bytes)) == .sent else { return hasCaughtUp = false }
        }
    }
}
