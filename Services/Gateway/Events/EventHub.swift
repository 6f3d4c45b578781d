// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import MessageBus
import ServiceRuntime
import Telemetry
import WebServer
import WidgetSchema

/// Sends each update to all readers, on a thread of its own.
///
/// An update is encoded once. A reader that is slow has its updates merged by widget and holds up nobody else.
final class EventHub: Sendable {
    /// The limits and intervals of event streams.
    struct Limits: Sendable, Equatable {
        var heartbeat: Duration = .seconds(15)
        /// A stream ends after 80 to 100 % of it, so that readers spread over new instances and proxies let none hang.
        var lifetime: Duration = .seconds(600)
        var maximumReaders = 16_384
        var readersPerClient = 0
        /// What a native client waits before it connects again.
        var retryMilliseconds = 2_000
    }

    /// What a reader asks for.
    struct Subscription: Sendable {
        var filter = EventFilter()
        /// Where it goes on.
        var since: StreamID?
        /// Whether the state of each widget comes first.
        var wantsSnapshot = false
        var client = ""
    }

    private enum Command: Sendable {
        case publish(StreamedUpdate)
        case join(WebStream, Subscription)
        case drained(WebStream)
        case ended(WebStream, WebStream.End)
        case stop
    }

    let epoch: String
    private let limits: Limits
    private let inbox = Inbox<Command>(maximumCount: .max, maximumBytes: .max)
    private let readers: Gauge
    private let admission: EventAdmission
    private let metrics: Metrics
    private let log: Logger

    init(epoch: String, limits: Limits, metrics: Metrics, log: Logger) {
        self.epoch = epoch
        self.limits = limits
        self.metrics = metrics
        self.log = log
        readers = metrics.gauge("gateway.eventReaders")
        admission = EventAdmission(maximum: limits.maximumReaders, perClient: limits.readersPerClient)
    }

    func publish(_ update: StreamedUpdate) { inbox.post(.publish(update)) }

    /// Opens a stream; nil, and counted, if there are too many.
    func open(_ subscription: Subscription) -> WebStream? {
        guard admission.admit(subscription.client) else {
            metrics.limit("gateway.eventReaders").increment()
            return nil
        }
        let stream = WebStream(
            onDrained: { [inbox] in inbox.post(.drained($0)) },
            onEnd: { [inbox] in inbox.post(.ended($0, $1)) }
        )
        inbox.post(.join(stream, subscription))
        return stream
    }

    func stop() { inbox.post(.stop) }

    /// Blocks until `stop`.
    func run() {
        var state = State(hub: self)
        while true {
            let batch = inbox.nextBatch(maximum: 512, until: state.nextTick)
            for command in batch {
                switch command {
                case .publish(let update): state.publish(update)
                case .join(let stream, let subscription): state.join(stream, subscription)
                case .drained(let stream): state.drained(stream)
                case .ended(let stream, let end): state.ended(stream, end)
                case .stop: return
                }
            }
            state.tick(.now)
        }
    }

    /// What belongs to the hub's thread.
    private struct State {
        let hub: EventHub
        var ring = EventRing()
        var readers: [ObjectIdentifier: EventReader] = [:]
        var latest: [WidgetID: (update: StreamedUpdate, chunk: WebChunk)] = [:]
        var nextTick = ContinuousClock.now + tickInterval
        let sent: Counter

        static let tickInterval: Duration = .seconds(1)

        init(hub: EventHub) {
            self.hub = hub
            sent = hub.metrics.counter("gateway.eventsSent")
        }

        mutating func publish(_ update: StreamedUpdate) {
            let id = StreamID(epoch: hub.epoch, offset: update.offset)
            let chunk = ServerSentEvent.chunk("update", id: id, data: update.json)
            ring.append(update, chunk)
            latest[update.widget] = update.isRemoval ? nil : (update, chunk)
            for reader in readers.values { reader.send(update, chunk) }
            sent.increment(by: Int64(readers.count))
        }

        mutating func join(_ stream: WebStream, _ subscription: Subscription) {
            guard !stream.isEnded else { return release(subscription.client) }
            let now = ContinuousClock.now
            let lifetime = hub.limits.lifetime * Double.random(in: 0.8...1)
            let reader = EventReader(
                stream: stream,
                filter: subscription.filter,
                client: subscription.client,
                endsAt: now + lifetime,
                heartbeatAt: now + hub.limits.heartbeat
            )
            readers[ObjectIdentifier(stream)] = reader
            hub.readers.set(Int64(readers.count))
            stream.write(WebChunk(welcome(reader, subscription)))
        }

        /// The first event, which says whether something is missing, and what the reader gets before the live events.
        private func welcome(_ reader: EventReader, _ subscription: Subscription) -> Data {
            let current = StreamID(epoch: hub.epoch, offset: ring.last)
            var missed: ArraySlice<(update: StreamedUpdate, chunk: WebChunk)>?
            if let since = subscription.since, since.epoch == hub.epoch { missed = ring.after(since.offset) }
            let hasGap = subscription.since != nil && missed == nil
            let start = StreamStart(
                gap: hasGap,
                since: subscription.since?.description,
                at: current.description,
                widgets: latest.values.count { reader.filter.wants($0.update) }
            )
            var bytes = ServerSentEvent.retry(milliseconds: hub.limits.retryMilliseconds)
            let json = (try? WireJSON.encode(start)) ?? Data("{}".utf8)
            bytes.append(ServerSentEvent.bytes("start", id: nil, data: json))
            if hasGap || (subscription.wantsSnapshot && missed == nil) {
                // The state of each widget stands for what was missed.
                for (update, _) in latest.values.sorted(by: { $0.update.offset < $1.update.offset })
                where reader.filter.wants(update.widget) {
                    bytes.append(ServerSentEvent.bytes("update", id: nil, data: update.json))
                }
            }
            for (update, _) in missed ?? [] where reader.filter.wants(update) {
                let id = StreamID(epoch: hub.epoch, offset: update.offset)
                bytes.append(ServerSentEvent.bytes("update", id: id, data: update.json))
            }
            bytes.append(Data("id: \(current)\n\n".utf8))
            return bytes
        }

        func drained(_ stream: WebStream) {
            readers[ObjectIdentifier(stream)]?.flush(epoch: hub.epoch)
        }

        mutating func ended(_ stream: WebStream, _ end: WebStream.End) {
            guard let reader = readers.removeValue(forKey: ObjectIdentifier(stream)) else { return }
            release(reader.client)
            hub.readers.set(Int64(readers.count))
            hub.metrics.counter("gateway.eventStreamsEnded.\(end.rawValue)").increment()
            hub.metrics.counter("gateway.eventsMerged").increment(by: Int64(reader.merged))
        }

        private func release(_ client: String) { hub.admission.release(client) }

        mutating func tick(_ now: ContinuousClock.Instant) {
            guard now >= nextTick else { return }
            nextTick = now + Self.tickInterval
            let heartbeat = ServerSentEvent.heartbeat(StreamID(epoch: hub.epoch, offset: ring.last))
            for reader in readers.values {
                if reader.endsAt <= now {
                    reader.stream.finish()
                } else if reader.heartbeatAt <= now {
                    reader.heartbeatAt = now + hub.limits.heartbeat
                    // A reader that is behind has not been sent everything up to the id.
                    if !reader.isBehind, reader.stream.isDrained { reader.stream.write(heartbeat) }
                }
            }
        }
    }
}

/// The data of a stream's first event.
struct StreamStart: Codable, Hashable, Sendable {
    /// Whether updates between `since` and the first one sent may be missing.
    ///
    /// The state of each widget follows then.
    var gap: Bool
    /// The id that the reader gave.
    var since: String?
    /// The id of the stream's present end.
    var at: String
    /// The number of widgets that the reader's filter lets through.
    var widgets: Int
}
