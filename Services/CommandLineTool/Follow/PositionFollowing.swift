// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import Foundation
import MessageBus
import ServiceRuntime
import WidgetSchema

/// The loop of `tidings subscribe --since EPOCH:OFFSET`: it shows the updates of all widgets after this offset.
struct PositionFollowing {
    /// The prefixes of the topics to subscribe to: all updates, and the notifier's heads.
    ///
    /// All updates are needed, because gaps are detectable only in the complete stream.
    static let subscriptions = [Topic.Prefix.update, Topic.heads(of: .notifier).text]

    private let session: BusSession
    private let filter: UpdateFilter
    /// A closure that shows an event, and returns false to stop the loop.
    private let show: (Event<Update>) throws -> Bool
    private var stream: OffsetStream<Event<Update>>
    private var notice = ReplayNotice()

    init(
        _ session: BusSession,
        since: StreamOffset,
        filter: UpdateFilter,
        show: @escaping (Event<Update>) throws -> Bool
    ) {
        self.session = session
        self.filter = filter
        self.show = show
        stream = OffsetStream(after: since)
    }

    /// Runs until `show` returns false or the session ends.
    mutating func run() throws {
        stream.requireReplay()
        while true {
            while let since = stream.nextAsk(at: .now) {
                guard try take(page(since)) else { return }
            }
            let deadline = stream.nextDeadline.map {
                ContinuousClock.now + .milliseconds(max(0, $0.milliseconds(since: .now)))
            }
            switch session.next(until: deadline) {
            case .message(let message):
                guard try take(message) else { return }
            case .resubscribed: stream.requireReplay()
            case .ended: return
            case nil: continue
            }
        }
    }

    /// Requests a page of updates after `since` from the notifier; returns nil if the request must be repeated.
    private mutating func page(_ since: StreamOffset) throws -> Records<Update>? {
        do throws(CommandFailure) {
            let page = try session.ask(RequestTarget(.notifier), UpdatesRequest(since: since))
            notice.answered()
            return page
        } catch {
            // The notifier or the bus is restarting: the request is repeated after the interval.
            guard error.code == .failed || error.status == .unreachable else { throw error }
            notice.failed(error)
            stream.replayFailed(at: .now)
            return nil
        }
    }

    private mutating func take(_ page: Records<Update>?) throws -> Bool {
        guard let page else { return true }
        let records = page.records.compactMap { event in event.offset.map { (number: $0.number, element: event) } }
        return try shown(stream.replayed(records, more: page.more, end: page.end, at: .now) ?? [])
    }

    private mutating func take(_ message: BusMessage) throws -> Bool {
        guard let json = message.frames.first else { return true }
        if message.topic == Topic.heads(of: .notifier) {
            let heads = try? WireJSON.decode(Event<NotifierHeads>.self, from: json)
            if let end = heads?.data.end, !stream.heard(end: end) {
                throw CommandFailure(
                    .no,
                    "the notifier's store was replaced, so this position no longer exists; "
                        + "use --since SEQUENCE, or omit --since"
                )
            }
            return true
        }
        guard let event = try? WireJSON.decode(Event<Update>.self, from: json), let offset = event.offset,
            case .next(let events) = stream.handle(event, at: offset)
        else { return true }
        return try shown(events)
    }

    private func shown(_ events: [(number: UInt64, element: Event<Update>)]) throws -> Bool {
        for (_, event) in events {
            guard let widget = event.widget, filter.wants(event, of: widget) else { continue }
            guard try show(event) else { return false }
        }
        return true
    }
}
