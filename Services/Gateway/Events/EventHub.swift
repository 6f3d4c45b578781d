// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import MessageBus
import Telemetry
import WebServer
import WidgetSchema

/// The hub that sends each update to all readers whose filters match it; the hub runs on its own thread.
///
/// An update is encoded once. Updates for a slow reader are merged by widget, and do not delay other readers.
final class EventHub: Sendable {
    /// The limits and intervals of event streams; those without a default come from the configuration.
    struct Limits: Sendable, Equatable {
        var heartbeat: Duration
        /// The maximum lifetime of a stream.
        ///
        /// Each stream ends at a random time between 80 and 100 % of this lifetime, and its reader connects again.
        /// Readers thus spread to gateways that were started later, and proxies keep no dead streams.
        var lifetime: Duration
        var maximumReaders = 16_384
        /// The pause before a browser reconnects.
        var retryInterval: Duration = .seconds(2)
    }

    /// A reader's request for events.
    struct ReaderRequest: Sendable {
        /// The position from which a reader resumes.
        enum Resume: Sendable, Hashable {
            case position(StreamOffset)
            /// The position is unknown, because the reader sent an event id of a form that no gateway sends.
            ///
            /// The value is the id, shortened to ``EventRoutes/maximumIDLength`` characters.
            case unknown(String)
        }

        var filter = EventFilter()
        var since: Resume?
        /// A Boolean value that indicates whether the stream begins with the state of each widget.
        var wantsSnapshot = false
    }

    private enum Command: Sendable {
        case begin(StreamOffset, [StreamedUpdate])
        case show(StreamedUpdate)
        case publish(StreamedUpdate, Set<BoardID>?)
        case join(WebStream, ReaderRequest)
        case page(BacklogReads.ID, BacklogPage)
        case drained(WebStream)
        case ended(WebStream, WebStream.End)
        case replaceLimits(Limits)
        case endStreams
        case stop
    }

    private static let batch = 512

    private let limits: Limits
    private let inbox = Inbox<Command>(maximumCount: .max, maximumBytes: .max)
    private let admission: EventAdmission
    private let metrics: Metrics
    private let readBacklog: BacklogPage.Read

    init(limits: Limits, metrics: Metrics, readBacklog: @escaping BacklogPage.Read) {
        self.limits = limits
        self.metrics = metrics
        self.readBacklog = readBacklog
        admission = EventAdmission(maximum: limits.maximumReaders)
    }

    /// Starts a new epoch of the stream at this position; `states` are the last updates of all widgets.
    ///
    /// The connections of all current readers end, because their event ids belong to the previous epoch.
    func begin(at position: StreamOffset, states: [StreamedUpdate]) { inbox.post(.begin(position, states)) }

    /// Sets a widget's state without sending an event.
    func show(_ update: StreamedUpdate) { inbox.post(.show(update)) }

    /// Publishes the next update of the stream; `boards` are those that look different since it, nil if this is unknown.
    func publish(_ update: StreamedUpdate, boards: Set<BoardID>? = []) { inbox.post(.publish(update, boards)) }

    /// Opens a stream; returns nil and counts the rejection if there are too many readers.
    func open(_ readerRequest: ReaderRequest) -> WebStream? {
        guard admission.admit() else {
            metrics.limit("gateway.eventReaders").increment()
            return nil
        }
        let stream = WebStream(
            onDrained: { [inbox] in inbox.post(.drained($0)) },
            onEnd: { [inbox] in inbox.post(.ended($0, $1)) }
        )
        inbox.post(.join(stream, readerRequest))
        return stream
    }

    /// Sets the heartbeat and the lifetime of the streams that are opened from now on.
    func replace(limits: Limits) { inbox.post(.replaceLimits(limits)) }

    /// Ends all streams; their readers connect again, and are checked by the rules in use then.
    func endStreams() { inbox.post(.endStreams) }

    func stop() { inbox.post(.stop) }

    /// Runs the hub on the calling thread until the function `stop` is called.
    func run() {
        var fanout = EventFanout(
            limits: limits,
            metrics: metrics,
            admission: admission,
            now: .now,
            read: { [inbox, readBacklog] reader, position in
                Task { inbox.post(.page(reader, await readBacklog(position))) }
            }
        )
        while true {
            for command in inbox.nextBatch(maximum: Self.batch, until: fanout.nextTick) {
                switch command {
                case .begin(let position, let states): fanout.begin(at: position, states: states)
                case .show(let update): fanout.show(update)
                case .publish(let update, let boards): fanout.publish(update, boards: boards)
                case .join(let stream, let readerRequest): fanout.join(stream, readerRequest, now: .now)
                case .page(let reader, let page): fanout.take(page, for: reader)
                case .drained(let stream): fanout.drained(stream)
                case .ended(let stream, let end): fanout.ended(stream, end)
                case .replaceLimits(let limits): fanout.limits = limits
                case .endStreams: fanout.endStreams()
                case .stop: return
                }
            }
            fanout.tick(now: .now)
        }
    }
}
