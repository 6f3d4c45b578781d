// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import Foundation
import Telemetry
import Testing
import WidgetSchema

@testable import Gateway
@testable import WebServer

/// A notifier that stores the last `history` updates of each widget.
struct StoredUpdates {
    let history: Int
    private(set) var all: [Event<Update>] = []

    init(history: Int) { self.history = history }

    var end: UInt64 { UInt64(all.count) }

    /// Adds the widget's next update and returns it.
    mutating func add(_ widget: String) throws -> Event<Update> {
        let id = try Samples.widget(widget)
        let sequence = UInt64(all.count { $0.widget == id }) + 1
        all.append(try Samples.event(widget, sequence, offset: end + 1))
        return all[all.count - 1]
    }

    func snapshot() throws -> Records<Update> {
        let last = Dictionary(grouping: all) { $0.widget }.compactMap(\.value.last)
        return Records(records: last, more: false, end: try Samples.offset(end))
    }

    /// Returns a page as the notifier does: a widget's oldest stored update covers those before it.
    func page(since: StreamOffset, limit: Int) throws -> Records<Update> {
        var stored: [Event<Update>] = []
        for updates in Dictionary(grouping: all, by: \.widget).values {
            var kept = updates.suffix(history)
            guard var oldest = kept.popFirst() else { continue }
            oldest.range = oldest.range.flatMap { SequenceRange(first: 1, sequence: $0.sequence) }
            stored += [oldest] + kept
        }
        let later = stored.filter { $0.offset?.number ?? 0 > since.number }
            .sorted { $0.offset?.number ?? 0 < $1.offset?.number ?? 0 }
        let records = Array(later.prefix(limit))
        return Records(records: records, more: later.count > limit, end: try Samples.offset(end))
    }
}

/// A gateway's core and fan-out, without a bus.
final class GatewayModel {
    private var follower = UpdateFollower(from: .snapshot(backlog: 0), coversNewData: true)
    private var fanout: EventFanout?
    private(set) var reads: [(reader: BacklogReads.ID, since: StreamOffset)] = []
    /// The request for updates that is in flight; nil if there is none.
    private var asked: UpdateFollower.Request?

    /// Creates a gateway that follows the stream of `notifier` after its current end.
    init(_ notifier: StoredUpdates, ringCount: Int = 1000) throws {
        fanout = EventFanout(
            limits: Samples.limits,
            metrics: Metrics(),
            admission: EventAdmission(maximum: 10),
            ringCount: ringCount,
            now: .now
        ) { [unowned self] reader, since in reads.append((reader, since)) }
        handle(.subscribed)
        handle(.answer(try #require(asked), try notifier.snapshot()))
    }

    func handle(_ input: UpdateFollower.Input) {
        if case .answer = input { asked = nil }
        for output in follower.handle(input, now: Samples.now) {
            switch output {
            case .begin(let position, let states): fanout?.begin(at: position, states: states)
            case .show(let update): fanout?.show(update)
            case .publish(let update): fanout?.publish(update)
            case .caughtUp, .note: break
            }
        }
        while let request = follower.nextRequest(at: Samples.now) { asked = request }
    }

    /// Answers the request for missing updates, if there is one.
    func replay(from notifier: StoredUpdates, limit: Int) throws {
        guard let asked, case .updates(let since) = asked.body else { return }
        handle(.answer(asked, try notifier.page(since: since, limit: limit)))
    }

    func receive(_ event: Event<Update>) throws { handle(.update(event, json: try WireJSON.encode(event))) }

    /// Connects a reader, which resumes behind `position`, or else behind the last event that it has read.
    func join(_ reader: ResumingReader, filter: EventFilter = EventFilter(), behind position: StreamOffset? = nil) {
        reader.connect()
        let since = (position ?? reader.lastID).map(EventHub.ReaderRequest.Resume.position)
        let readerRequest = EventHub.ReaderRequest(filter: filter, since: since, wantsSnapshot: true)
        fanout?.join(reader, readerRequest, now: .now)
    }

    /// Reads all that comes to a reader, and answers its requests for missed updates.
    func finish(_ reader: ResumingReader, from notifier: StoredUpdates) throws {
        while !reads.isEmpty || reader.hasEvents {
            if !reads.isEmpty { try answer(from: notifier, limit: 2) }
            try reader.readAll()
            drained(reader)
        }
    }

    func tick(at now: ContinuousClock.Instant) { fanout?.tick(now: now) }

    func leave(_ reader: ResumingReader) { fanout?.ended(reader, .readerGone) }

    func drained(_ reader: ResumingReader) { if reader.isDrained { fanout?.drained(reader) } }

    /// Answers the oldest request for a reader's missed updates.
    func answer(from notifier: StoredUpdates, limit: Int) throws {
        let (reader, since) = reads.removeFirst()
        fanout?.take(BacklogPage(try notifier.page(since: since, limit: limit), since: since), for: reader)
    }
}

/// A reader that drops what it has seen by (widget, sequence), and notes cycles that it has missed.
final class ResumingReader: EventSink {
    private var blocks: [Substring] = []
    private(set) var lastID: StreamOffset?
    private(set) var last: [WidgetID: SequenceNumber] = [:]
    private(set) var missed: [String] = []
    private(set) var isEnded = false
    /// The number of chunks that were written.
    private(set) var writes = 0

    var isDrained: Bool { blocks.isEmpty }
    var hasEvents: Bool { !blocks.isEmpty }

    func write(_ chunk: WebChunk) -> WebStream.WriteResult {
        writes += 1
        blocks += String(decoding: chunk.wire(chunked: false), as: UTF8.self).split(separator: "\n\n")
        return .waiting
    }

    func finish() { isEnded = true }

    /// Forgets what the last connection had still to bring.
    func connect() { blocks = [] }

    /// Reads all events that have come.
    func readAll() throws { while hasEvents { try read() } }

    /// Reads one event, if there is one.
    func read() throws {
        guard !blocks.isEmpty else { return }
        var data: Substring?
        var id: StreamOffset?
        for line in blocks.removeFirst().split(separator: "\n") {
            if line.hasPrefix("id: ") { id = StreamOffset(line.dropFirst(4)) }
            if line.hasPrefix("data: {") { data = line.dropFirst(6) }
        }
        if let data, let event = try? WireJSON.decode(Event<Update>.self, from: Data(data.utf8)),
            let widget = event.widget, let range = event.range
        {
            take(range, of: widget, isState: id == nil)
        }
        if let id { lastID = id }
    }

    private func take(_ range: SequenceRange, of widget: WidgetID, isState: Bool) {
        let before = last[widget] ?? .zero
        guard range.sequence > before else { return }
        if !isState, range.first > before.next { missed.append("\(widget): \(before), then \(range)") }
        last[widget] = range.sequence
    }
}
