// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import Foundation
import LayoutEngine
import MessageBus
import ServiceEngine
import ServiceRuntime
import Telemetry
import WidgetSchema

/// The adapter between the bus and the layout core.
final class LayoutAdapter: ServiceAdapter {
    typealias Core = LayoutCore

    /// The topics to subscribe to: cycles, and the heartbeats of all instances of the layout service.
    static let subscriptions = [Topic.Prefix.refreshed, layoutHealth]
    private static let layoutHealth = Topic.Prefix.health + ServiceName.layout.rawValue + "/"
    /// The maximum timeout of a request, in milliseconds.
    ///
    /// If a request contains a longer timeout, this maximum is used instead.
    static let longestDeadline = 600_000

    let setup: LayoutSetup
    private let client: BusClient
    private let log: Logger
    private let metrics: Metrics
    private let memory: TextMemory
    private let repeated = RepeatedParts()
    private var asks: [RequestID: CacheRequestID] = [:]
    private var pending = PendingRequests()
    private let malformed: Counter
    private let painting: PicturePool
    private let pictures: Counter
    private let picturesRefused: Counter
    /// The number of layout events that omit the layout because it is too large for a frame.
    private let layoutsTooLarge: Counter
    private let cyclesOfOthers: Counter
    private let instances: Gauge
    private var share: LayoutShare

    /// Creates an adapter.
    ///
    /// `memory` stores the lines of the texts that the workers have measured. The adapter reports the counts of this
    /// memory as metrics.
    init(_ context: ServiceContext, client: BusClient, memory: TextMemory) {
        self.client = client
        self.memory = memory
        log = context.log
        metrics = context.metrics
        setup = LayoutSetup(fonts: FontIdentity.digest())
        malformed = metrics.counter("layout.malformed")
        painting = PicturePool { client.post($0) }
        pictures = metrics.counter("layout.pictures")
        picturesRefused = metrics.limit("layout.waitingPictures")
        layoutsTooLarge = metrics.limit("layout.clientFrame")
        cyclesOfOthers = metrics.counter("layout.cyclesOfOthers")
        instances = metrics.gauge("layout.instances")
        // These two gauges are part of the heartbeat: they tell its readers which engine this instance runs.
        let engine = LayoutEngineVersion(version: setup.version, fonts: setup.fonts)
        metrics.gauge(LayoutEngineVersion.healthGauge).set(Int64(engine.version))
        metrics.gauge(LayoutEngineVersion.fontsHealthGauge).set(engine.fontsMark ?? 0)
        share = LayoutShare(instance: context.instance, engine: LayoutInstances.Engine(engine))
        instances.set(Int64(share.members))
    }

    func finish() { painting.stop() }

    func refuse(_ input: LayoutInput) {}

    // MARK: Inputs

    func input(_ input: BusInput) -> LayoutInput? {
        switch input {
        case .posted(let value as PicturePool.Painted):
            painted(value)
            return nil
        case .message(let topic, let frames):
            guard topic.text.hasPrefix(Self.layoutHealth) else { return refreshed(topic, frames) }
            heard(topic, frames)
            return nil
        case .request(let request): return requested(request)
        case .answer(let id, let json, let contents): return answered(id, json, contents)
        case .requestFailed(let id, let error):
            return asks.removeValue(forKey: id).map { .askFailed($0, error) }
        case .resubscribed:
            // Missed cycles are not requested here: consumers of `laidout` notice the gap and request them.
            log.info("Connected to the bus again.")
            return nil
        case .ready, .publisherConnected, .posted, .registrationRefused, .stopped: return nil
        }
    }

    private func heard(_ topic: Topic, _ frames: [Data]) {
        do throws(WireError) {
            let name = topic.text.dropFirst(Self.layoutHealth.count).dropLast()
            guard let instance = InstanceName(rawValue: String(name)) else {
                throw .malformed(path: "", problem: "the instance name in the topic is invalid")
            }
            let health = try WireJSON.decode(Event<Health>.self, from: frames.first ?? Data()).data
            let before = share.members
            share.heard(health, of: instance, at: .now)
            guard share.members != before else { return }
            instances.set(Int64(share.members))
            log.notice("The number of layout instances that share the widgets changed.", [.count: share.members])
        } catch {
            malformed.increment()
            log.warning("Dropped a malformed message.", [.topic: topic.text], error: error)
        }
    }

    private func refreshed(_ topic: Topic, _ frames: [Data]) -> LayoutInput? {
        // The topic contains the widget's id, which determines the instance. Messages for other instances are not
        // decoded.
        guard share.owns(topic.text.utf8.dropFirst(Topic.Prefix.refreshed.utf8.count).dropLast(), at: .now) else {
            cyclesOfOthers.increment()
            return nil
        }
        do throws(WireError) {
            guard let frame = frames.first else { throw .malformed(path: "", problem: "the message contains no event") }
            let event = try WireJSON.decode(Event<Refreshed>.self, from: frame, memory: repeated)
            guard let widget = event.widget, topic == .refreshed(widget) else {
                throw .malformed(path: "subject", problem: "the topic names another widget")
            }
            return .refreshed(event, content: frames.count > 1 ? frames[1] : nil)
        } catch {
            malformed.increment()
            log.warning("Dropped a malformed message.", [.topic: topic.text], error: error)
            return nil
        }
    }

    private func requested(_ request: IncomingRequest) -> LayoutInput? {
        do throws(WireError) {
            let head = try request.head()
            let clientRequest: LayoutInput.ClientRequest
            switch head.request {
            case ReplayRequest<LaidOut>.name:
                clientRequest = .replay(try request.decode(ReplayRequest<LaidOut>.self).body)
            case RenderRequest.name: clientRequest = .render(try request.decode(RenderRequest.self).body)
            case PreviewRequest.name: clientRequest = .preview(try request.decode(PreviewRequest.self).body)
            case BoardRequest.name: clientRequest = .board(try request.decode(BoardRequest.self).body)
            case TimelineRequest.name: clientRequest = .timeline(try request.decode(TimelineRequest.self).body)
            default:
                let known = "replay, render, renderBoard, timeline, preview, health"
                let name = head.request.prefix(64)
                let text = "The layout service does not support the request '\(name)'; it supports: \(known)."
                client.reply(to: request, error: RequestError(.unknownRequest, text))
                return nil
            }
            guard let id = pending.addOnce(request) else { return nil }
            let passed = (ContinuousClock.now - request.receivedAt).wholeMilliseconds
            let left = min(max(head.deadlineMilliseconds, 0), Self.longestDeadline) - Int(max(passed, 0))
            return .request(id, clientRequest, deadline: Instant.now.advanced(byMilliseconds: Int64(left)))
        } catch {
            malformed.increment()
            client.reply(to: request, error: RequestError(.malformed, "The request is not valid: \(error)."))
            return nil
        }
    }

    private func answered(_ id: RequestID, _ json: Data, _ contents: [Data]) -> LayoutInput? {
        guard let ask = asks.removeValue(forKey: id) else { return nil }
        do throws(WireError) {
            switch try WireJSON.decode(Answer<Records<Refreshed>>.self, from: json, memory: repeated) {
            case .result(let records): return .answered(ask, records, contents: contents)
            case .error(let error): return .askFailed(ask, error)
            }
        } catch {
            malformed.increment()
            log.warning("An answer from the cache cannot be read.", error: error)
            return .askFailed(ask, RequestError(.failed, "The cache's answer cannot be read: \(error)."))
        }
    }

    // MARK: Effects

    func perform(_ effect: LayoutEffect, reading reader: Void) {
        switch effect {
        case .publish(let topic, let frame):
            client.publish(topic, [frame])
        case .publishLayout(let publication): publish(publication)
        case .ask(let id, let cacheRequest, let timeout):
            let request =
                switch cacheRequest {
                case .replay(let body): client.request(RequestTarget(.cache), body, deadline: timeout)
                case .snapshot(let body): client.request(RequestTarget(.cache), body, deadline: timeout)
                }
            asks[request] = id
        case .reply(let id, let json):
            guard let request = pending.remove(id) else { break }
            client.reply(to: request, json: json)
        case .paint(let job):
            guard !painting.paint(job) else { break }
            picturesRefused.increment()
            let text = "\(PicturePool.maximumWaiting) pictures are already waiting to be drawn; ask again later."
            refuse(job.reply, RequestError(.failed, text))
        case .refuse(let id, let error): refuse(id, error)
        case .report(let report): tell(report)
        case .counts(let values): count(values)
        }
    }

    private func publish(_ publication: LayoutPublication) {
        do throws(WireError) {
            let frame = try publication.frame()
            if frame.omitsLayout { layoutsTooLarge.increment() }
            client.publish(publication.topic, [frame.json])
        } catch {
            log.error("Dropped a layout that could not be encoded.", [.topic: publication.topic.text], error: error)
        }
    }

    private func refuse(_ id: RequesterID, _ error: RequestError) {
        guard let request = pending.remove(id) else { return }
        client.reply(to: request, error: error)
    }

    private func painted(_ painted: PicturePool.Painted) {
        switch painted.result {
        case .success(let answer):
            guard let request = pending.remove(painted.reply) else { break }
            pictures.increment()
            client.reply(to: request, json: answer.json, contents: [answer.picture])
        case .failure(let error):
            refuse(painted.reply, error)
        }
    }

    private func tell(_ report: LayoutEffect.Report) {
        switch report {
        case .notOfAStream(let id):
            malformed.increment()
            log.warning("Dropped an event that has no widget or no sequence number.", [.reason: id])
        case .implausible(let widget, let sequence):
            log.warning(
                "Dropped a cycle whose sequence number is more than a day above this machine's clock.",
                [.widget: widget, .sequence: sequence]
            )
        case .contentRefused(let widget, let sequence, let digest):
            log.warning(
                "Dropped content that does not have the expected digest.",
                [.widget: widget, .sequence: sequence, .digest: digest.short]
            )
        case .contentAsked(let widget, let sequence):
            log.debug("Requested missing content from the cache.", [.widget: widget, .sequence: sequence])
        case .cyclesDropped(let widget, let count, let error):
            log.log(
                .notice,
                "Cycles were not laid out, because their content was not available; consumers request them again.",
                [.widget: widget, .cycles: count],
                error: error
            )
        case .cannotWrite(let widget, let error):
            log.error("Dropped a cycle that could not be encoded.", [.widget: widget], error: error)
        }
    }

    /// Updates the counters of the process.
    ///
    /// `values` contains totals of the core, by their names in metrics. The totals of the two memories are reported
    /// too.
    private func count(_ values: [String: Int64]) {
        let texts = memory.counts
        let ofMemories = [
            "layout.textsMeasured": texts.measured, "layout.textsRemembered": texts.remembered,
            "limit.layout.textBytes": texts.forgotten, "limit.layout.repeatedBytes": repeated.forgotten,
        ]
        for (name, value) in values.merging(ofMemories, uniquingKeysWith: { first, _ in first }) {
            let counter = metrics.counter(name)
            counter.increment(by: value - counter.value)
        }
    }
}
