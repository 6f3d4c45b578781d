// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import Foundation
import Telemetry
import WebServer
import WidgetSchema

/// The state of ``EventHub``: the readers of events, and the updates to send to them.
///
/// Used only on the thread of ``EventHub``.
struct EventFanout {
    static let tickInterval: Duration = .seconds(1)

    var limits: EventHub.Limits
    private let metrics: Metrics
    private let admission: EventAdmission
    /// The closure that requests updates for a reader, beginning after a position; the answer arrives in
    /// `take(_:for:)`.
    private let read: (BacklogReads.ID, StreamOffset) -> Void
    private let sent: Counter
    private let readerGauge: Gauge
    private let ringGauge: Gauge

    /// The epoch of the notifier's stream; nil before the first call of `begin(at:states:)`.
    private var epoch: StreamEpoch?
    private let ringCount: Int
    private var ring = EventRing()
    private var readers: [ObjectIdentifier: EventReader] = [:]
    private var backlog = BacklogReads()
    /// The last update of each widget as of the last one in `ring`.
    ///
    /// ``BusView`` has the same updates, but takes each one earlier: a state from there could be newer than the position
    /// that a reader is told with it.
    private var latest: [WidgetID: StreamedUpdate] = [:]
    private(set) var nextTick: ContinuousClock.Instant

    init(
        limits: EventHub.Limits,
        metrics: Metrics,
        admission: EventAdmission,
        ringCount: Int = EventRing.defaultMaximumCount,
        now: ContinuousClock.Instant,
        read: @escaping (BacklogReads.ID, StreamOffset) -> Void
    ) {
        self.ringCount = ringCount
        nextTick = now + Self.tickInterval
        self.limits = limits
        self.metrics = metrics
        self.admission = admission
        self.read = read
        sent = metrics.counter("gateway.eventsSent")
        readerGauge = metrics.gauge("gateway.eventReaders")
        ringGauge = metrics.gauge("gateway.missedUpdateBytes")
    }

    // MARK: Updates

    /// Starts a new epoch at a position; `states` are the last updates of all widgets.
    mutating func begin(at position: StreamOffset, states: [StreamedUpdate]) {
        // These readers have ids of another epoch. They connect again, and their first event then reports a gap.
        endStreams()
        epoch = position.epoch
        ring = EventRing(after: position.number, maximumCount: ringCount)
        latest = [:]
        for update in states { show(update) }
    }

    /// Ends all streams; the readers are removed when their connections have ended.
    func endStreams() {
        for reader in Array(readers.values) + backlog.readers { reader.stream.finish() }
    }

    mutating func show(_ update: StreamedUpdate) {
        if let known = latest[update.widget], known.range.sequence > update.range.sequence { return }
        latest[update.widget] = update.isRemoval ? nil : update
    }

    /// Publishes an update; `boards` are those that look different since it, nil if this is unknown.
    mutating func publish(_ update: StreamedUpdate, boards: Set<BoardID>? = []) {
        guard let epoch else { return }
        let id = StreamOffset(epoch: epoch, number: update.sentUpTo)
        let chunk = WebChunk(ServerSentEvent.bytes("update", id: id, data: update.json))
        let stored = RingUpdate(update, changedBoards: boards)
        ring.append(stored)
        show(update)
        for reader in readers.values where reader.filter.wants(stored) { reader.send(update, chunk) }
    }

    /// The event id after all published updates; nil before the first call of `begin(at:states:)`.
    private var end: StreamOffset? { epoch.map { StreamOffset(epoch: $0, number: ring.sentUpTo) } }

    /// Returns the event id to send to a reader that has all published updates, for example in a heartbeat.
    ///
    /// A reader can be ahead of this gateway; its id never goes back.
    private func end(for reader: EventReader) -> StreamOffset? {
        epoch.map { StreamOffset(epoch: $0, number: max(ring.sentUpTo, reader.position)) }
    }

    // MARK: Joining

    mutating func join(
        _ stream: any EventSink,
        _ readerRequest: EventHub.ReaderRequest,
        now: ContinuousClock.Instant
    ) {
        guard !stream.isEnded else { return admission.release() }
        let reader = EventReader(
            stream: stream,
            filter: readerRequest.filter,
            sent: sent,
            endsAt: now + limits.lifetime * Double.random(in: 0.8...1),
            heartbeatAt: now + limits.heartbeat
        )
        switch readerRequest.since {
        case .position(let since) where since.epoch == epoch:
            if let missed = ring.after(offset: since.number) {
                var bytes = welcome(reader, readerRequest, hasGap: false)
                append(missed, to: &bytes, for: reader)
                activate(reader, bytes)
            } else {
                backlog.add(reader, readerRequest, behind: since)
                metrics.counter("gateway.backlogReads").increment()
                readNext()
            }
        case .position, .unknown: resumeWithGap(reader, readerRequest)
        case nil:
            var bytes = welcome(reader, readerRequest, hasGap: false)
            if readerRequest.wantsSnapshot { appendStates(to: &bytes, for: reader) }
            activate(reader, bytes)
        }
        count()
    }

    /// Resumes a reader whose missed updates are not available; sends the state of each widget instead of them.
    private mutating func resumeWithGap(_ reader: EventReader, _ readerRequest: EventHub.ReaderRequest) {
        metrics.counter("gateway.eventGaps").increment()
        var bytes = welcome(reader, readerRequest, hasGap: true)
        appendStates(to: &bytes, for: reader)
        activate(reader, bytes)
    }

    /// Sends the first events to a reader, which receives live updates from then on.
    private mutating func activate(_ reader: EventReader, _ first: Data) {
        var bytes = first
        if let end = end(for: reader) { bytes.append(ServerSentEvent.position(end)) }
        readers[ObjectIdentifier(reader.stream)] = reader
        reader.stream.write(WebChunk(bytes))
    }

    /// Returns the stream's beginning; its first event reports whether updates may be missing.
    private func welcome(_ reader: EventReader, _ readerRequest: EventHub.ReaderRequest, hasGap: Bool) -> Data {
        let since: String? =
            switch readerRequest.since {
            case .position(let position): position.description
            case .unknown(let text): text
            case nil: nil
            }
        let start = StreamStart(
            gap: hasGap,
            since: since,
            at: end?.description ?? "",
            widgets: latest.values.count { reader.filter.shows($0) }
        )
        let json = (try? WireJSON.encode(start)) ?? Data("{}".utf8)
        // In one chunk with what follows: a stream rejects large chunks while others are pending.
        return ServerSentEvent.retry(after: limits.retryInterval) + ServerSentEvent.bytes("start", id: nil, data: json)
    }

    private func append(_ updates: some Sequence<RingUpdate>, to bytes: inout Data, for reader: EventReader) {
        guard let epoch else { return }
        for update in updates where reader.filter.wants(update) {
            let id = StreamOffset(epoch: epoch, number: update.sentUpTo)
            bytes.append(ServerSentEvent.bytes("update", id: id, data: update.json))
            sent.increment()
        }
    }

    private func appendStates(to bytes: inout Data, for reader: EventReader) {
        let states = latest.values.sorted { ($0.offset, $0.widget) < ($1.offset, $1.widget) }
        for update in states where reader.filter.shows(update) {
            bytes.append(ServerSentEvent.bytes("update", id: nil, data: update.json))
            sent.increment()
        }
    }

    // MARK: Updates that only the notifier stores

    private mutating func readNext() {
        while let (id, position) = backlog.next() { read(id, position) }
    }

    /// Sends a page of updates to the reader that requested it; does nothing if its stream has ended.
    mutating func take(_ page: BacklogPage, for id: BacklogReads.ID) {
        backlog.answered(id)
        defer { readNext() }
        guard var resumed = backlog[id] else { return }
        let reader = resumed.reader
        switch page {
        case .unavailable:
            if !backlog.fail(id) { reader.stream.finish() }
        case .unknown:
            // Only the first event can report a gap, and it was sent already. The stream ends, and the reader connects
            // again.
            if resumed.isWelcomed { return reader.stream.finish() }
            backlog[id] = nil
            resumeWithGap(reader, resumed.readerRequest)
        case .updates(let updates, let position, let isLast):
            guard position.epoch == epoch else { return reader.stream.finish() }
            let located = resumed.skipped.locate(updates, after: resumed.position.number, isLast: isLast)
            var bytes = resumed.isWelcomed ? Data() : welcome(reader, resumed.readerRequest, hasGap: false)
            append(located.lazy.map { RingUpdate($0) }, to: &bytes, for: reader)
            // The ring does not cover skipped updates: the reader needs the notifier's further pages for these.
            if resumed.skipped.first == nil,
                let missed = ring.after(offset: position.number) ?? (position.number > ring.last ? [] : nil)
            {
                backlog[id] = nil
                // If this gateway is behind the reader, it has yet to receive updates that the reader has.
                reader.position = position.number
                append(missed, to: &bytes, for: reader)
                return activate(reader, bytes)
            }
            (resumed.position, resumed.isWelcomed, resumed.failures) = (position, true, 0)
            backlog[id] = resumed
            // The next page is requested only after the reader has accepted this one. A page can have no update that the
            // reader's filter matches.
            if bytes.isEmpty || reader.stream.write(WebChunk(bytes)) == .sent { backlog.enqueue(id) }
        }
    }

    // MARK: Streams

    mutating func drained(_ stream: any EventSink) {
        let id = ObjectIdentifier(stream)
        if let resumed = backlog[id] {
            guard !resumed.isInFlight, resumed.isWelcomed else { return }
            backlog.enqueue(resumed.id)
            return readNext()
        }
        if let epoch { readers[id]?.flush(epoch: epoch) }
    }

    mutating func ended(_ stream: any EventSink, _ end: WebStream.End) {
        let id = ObjectIdentifier(stream)
        guard let reader = readers.removeValue(forKey: id) ?? backlog.remove(id) else { return }
        admission.release()
        count()
        metrics.counter("gateway.eventStreamsEnded.\(end.rawValue)").increment()
        metrics.counter("gateway.eventsMerged").increment(by: Int64(reader.merged))
    }

    private func count() { readerGauge.set(Int64(readers.count + backlog.count)) }

    mutating func tick(now: ContinuousClock.Instant) {
        guard now >= nextTick else { return }
        nextTick = now + Self.tickInterval
        ringGauge.set(Int64(ring.bytes))
        backlog.retry()
        readNext()
        for reader in readers.values {
            if let epoch { reader.tick(epoch: epoch) }
            if reader.endsAt <= now {
                reader.stream.finish()
            } else if reader.heartbeatAt <= now, let end = end(for: reader) {
                reader.heartbeatAt = now + limits.heartbeat
                // A heartbeat has the id of the stream's end; a reader with pending updates has not received all
                // updates up to it.
                if !reader.isBehind, reader.stream.isDrained { reader.stream.write(ServerSentEvent.heartbeat(end)) }
            }
        }
    }
}
