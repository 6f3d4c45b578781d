// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import MessageBus
import ServiceRuntime
import Telemetry
import WidgetSchema

/// What the layout service's thread does: takes what the bus has, asks the core, does what it says.
///
/// It owns the crew that draws; Pango's objects stay on the threads that made them.
struct LayoutLoop {
    /// Put into the inbox at the process's stop.
    struct Wake: Sendable {}

    static let batch = 512
    /// Nobody waits longer than this, whatever a request says.
    static let longestDeadline = 600_000

    private let client: BusClient
    private let context: ServiceContext
    private let memory: TextMemory
    private var core: LayoutCore
    private var asks: [RequestID: LayoutCore.AskID] = [:]
    private var requests: [LayoutCore.ReplyID: IncomingRequest] = [:]
    private var replies: [RequestID: LayoutCore.ReplyID] = [:]
    private var nextReply: UInt64 = 0
    private let malformed: Counter
    private let painting: PaintingThread
    private let pictures: Counter
    private let picturesRefused: Counter

    init(client: BusClient, context: ServiceContext) {
        self.client = client
        self.context = context
        let crew = DrawingCrew(size: ProcessInfo.processInfo.activeProcessorCount)
        memory = crew.memory
        core = LayoutCore(drafting: crew, fonts: FontIdentity.digest())
        malformed = context.metrics.counter("layout.malformed")
        painting = PaintingThread { client.post($0) }
        pictures = context.metrics.counter("layout.pictures")
        picturesRefused = context.metrics.counter("limit.layout.waitingPictures")
        // Readers of heartbeats tell by it who draws as the newest version does.
        context.metrics.gauge(LayoutEngine.healthCounter).set(Int64(LayoutCore.engineVersion))
    }

    private var log: Logger { context.log }

    /// Returns at the process's stop.
    mutating func run() throws {
        defer { painting.stop() }
        while !context.stop.isStopped {
            for input in client.nextBatch(maximum: Self.batch) {
                guard !context.stop.isStopped, try take(input) else { return }
            }
            count()
        }
    }

    /// Says false where the connection to the bus was closed.
    private mutating func take(_ input: BusInput) throws -> Bool {
        switch input {
        case .ready:
            client.setHealth(.ready)
            context.announceReady()
        case .resubscribed:
            // Nothing to catch up on here: whoever follows the laid-out cycles asks for what is missing.
            log.info("Connected to the bus again.")
        case .posted(let value as PaintingThread.Painted):
            painted(value)
        case .publisherConnected, .posted:
            break
        case .message(let topic, let frames):
            refreshed(topic, frames)
        case .request(let request):
            requested(request)
        case .answer(let id, let json, let contents):
            answered(id, json, contents)
        case .requestFailed(let id, let error):
            guard let ask = asks.removeValue(forKey: id) else { break }
            handle(.askFailed(ask, error))
        case .registrationRefused(let error):
            throw error
        case .stopped(let error):
            if let error { throw error }
            return false
        }
        return true
    }

    private mutating func refreshed(_ topic: Topic, _ frames: [Data]) {
        do throws(WireError) {
            guard let frame = frames.first else { throw .malformed(path: "", problem: "the event's frame is missing") }
            let event = try WireJSON.decode(Event<Refreshed>.self, from: frame)
            guard let widget = event.widget, topic == .refreshed(widget) else {
                throw .malformed(path: "subject", problem: "is not the widget of the topic")
            }
            handle(.refreshed(event, content: frames.count > 1 ? frames[1] : nil))
        } catch {
            malformed.increment()
            log.warning("A message cannot be read.", [.topic: topic.text], error: error)
        }
    }

    private mutating func requested(_ request: IncomingRequest) {
        // The asker asks again while it waits: the answer goes where it asked from last.
        if let id = replies[request.id] {
            requests[id] = request
            return
        }
        do throws(WireError) {
            let head = try request.head()
            let query: LayoutCore.Query
            switch head.request {
            case ReplayRequest<LaidOut>.name: query = .replay(try request.decode(ReplayRequest<LaidOut>.self).body)
            case RenderRequest.name: query = .render(try request.decode(RenderRequest.self).body)
            case TimelineRequest.name: query = .timeline(try request.decode(TimelineRequest.self).body)
            default:
                let known = "replay, render, timeline, health"
                let text = "layout knows no request '\(head.request.prefix(64))'; it knows: \(known)"
                client.reply(to: request, error: RequestError(.unknownRequest, text))
                return
            }
            nextReply += 1
            let id = LayoutCore.ReplyID(number: nextReply)
            requests[id] = request
            replies[request.id] = id
            let passed = (ContinuousClock.now - request.receivedAt) / .milliseconds(1)
            let left = min(max(head.deadlineMilliseconds, 0), Self.longestDeadline) - Int(max(passed, 0))
            handle(.request(id, query, deadline: Instant.now.advanced(byMilliseconds: Int64(left))))
        } catch {
            malformed.increment()
            client.reply(to: request, error: RequestError(.malformed, "the request \(error)"))
        }
    }

    private mutating func answered(_ id: RequestID, _ json: Data, _ contents: [Data]) {
        guard let ask = asks.removeValue(forKey: id) else { return }
        do throws(WireError) {
            switch try WireJSON.decode(Answer<Records<Refreshed>>.self, from: json) {
            case .result(let records): handle(.answered(ask, records, contents: contents))
            case .error(let error): handle(.askFailed(ask, error))
            }
        } catch {
            malformed.increment()
            log.warning("An answer of the cache cannot be read.", error: error)
            handle(.askFailed(ask, RequestError(.failed, "the cache's answer \(error)")))
        }
    }

    // MARK: What the core says

    private mutating func handle(_ input: LayoutCore.Input) {
        for action in core.handle(input, now: .now) { act(action) }
    }

    private mutating func act(_ action: LayoutCore.Action) {
        switch action {
        case .publish(let topic, let frame):
            client.publish(topic, [frame])
        case .ask(let id, let question, let deadline):
            let deadline = Duration.milliseconds(deadline)
            let request =
                switch question {
                case .replay(let body): client.request(RequestTarget(.cache), body, deadline: deadline)
                case .snapshot(let body): client.request(RequestTarget(.cache), body, deadline: deadline)
                }
            asks[request] = id
        case .reply(let id, let json):
            guard let request = forget(id) else { break }
            client.reply(to: request, json: json)
        case .paint(let job):
            guard !painting.paint(job) else { break }
            picturesRefused.increment()
            let text = "\(PaintingThread.maximumWaiting) pictures wait to be drawn already; ask again later"
            act(.refuse(job.reply, RequestError(.failed, text)))
        case .refuse(let id, let error):
            guard let request = forget(id) else { break }
            client.reply(to: request, error: error)
        case .report(let report):
            tell(report)
        }
    }

    private mutating func painted(_ painted: PaintingThread.Painted) {
        switch painted.result {
        case .success(let answer):
            guard let request = forget(painted.reply) else { break }
            pictures.increment()
            client.reply(to: request, json: answer.json, contents: [answer.picture])
        case .failure(let error):
            act(.refuse(painted.reply, error))
        }
    }

    private mutating func forget(_ id: LayoutCore.ReplyID) -> IncomingRequest? {
        guard let request = requests.removeValue(forKey: id) else { return nil }
        replies[request.id] = nil
        return request
    }

    private func tell(_ report: LayoutCore.Report) {
        switch report {
        case .notOfAStream(let id):
            malformed.increment()
            log.warning("An event names no widget or no cycle.", [.reason: id])
        case .implausible(let widget, let sequence):
            log.warning(
                "Dropped a sequence number that the cache cannot have given.",
                [.widget: widget, .sequence: sequence]
            )
        case .contentRefused(let widget, let sequence, let digest):
            log.warning(
                "A content does not have the digest it is named by.",
                [.widget: widget, .sequence: sequence, .digest: digest.short]
            )
        case .contentAsked(let widget, let sequence):
            log.debug("Asked the cache for a content.", [.widget: widget, .sequence: sequence])
        case .cyclesDropped(let widget, let count, let error):
            log.log(.notice, "Cycles wait for whoever asks for them.", [.widget: widget, .cycles: count], error: error)
        case .cannotWrite(let widget, let error):
            log.error("A cycle cannot be written.", [.widget: widget], error: error)
        }
    }

    /// Brings the process's metrics up to what the core and the memory of texts have counted.
    private func count() {
        var values = core.counts.named
        values["layout.drawn"] = core.board.drawn
        values["layout.looksRemembered"] = core.board.remembered
        values["limit.layout.contentBytes"] = core.contents.forgotten
        let texts = memory.counts
        values["layout.textsMeasured"] = texts.measured
        values["layout.textsRemembered"] = texts.remembered
        values["limit.layout.textBytes"] = texts.forgotten
        for (name, value) in values {
            let counter = context.metrics.counter(name)
            counter.increment(by: value - counter.value)
        }
    }
}
