// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Digests
import EventStreams
import Foundation
import MessageBus
import ServiceRuntime
import Telemetry
import WidgetSchema

/// The cache's shell: drains what has arrived, has the core decide, commits, then publishes and answers.
final class CacheService: BatchHandler {
    /// How long a batch that could not be committed keeps the service from trying again.
    static let storePause: Int64 = 1000

    /// How far the wall clock may go off the other before that is a jump.
    static let clockTolerance: Int64 = 1000

    /// The files that are sources, and the directory they lie below.
    private struct WatchedFiles: Equatable {
        var directory: String?
        var files: Set<String> = []
    }

    /// Put into the inbox when the configuration is to be read anew.
    struct Reload: Sendable {}

    private let context: ServiceContext
    private var plan: CachePlan
    private let store: CacheStore
    private let client: BusClient
    private let log: Logger
    private let metrics: Metrics
    private let nonce: String
    /// Nil while the store cannot be read.
    private var core: CacheCore?
    private var askers: [AskerToken: IncomingRequest] = [:]
    private var nextAsker: AskerToken = 0
    private var headsPublished: UInt64 = 0
    private var hasStarted = false
    /// Each core hands out lease ids of its own.
    private var loads = 0
    /// Since when, and until when, no commit is tried: the last one failed.
    private var pause: (since: Instant, until: Instant)?
    /// The core that answers what can be answered meanwhile.
    private var readingCore: CacheCore?
    private var lastMoment: (wall: Instant, running: ContinuousClock.Instant)?
    /// What the heartbeats say about silent sources.
    private var silence: String?
    private var watcher: FileWatcher?
    private var watched = WatchedFiles()
    private var silentCount = 0
    /// The same for sources whose leases run out.
    private var quarantine: String?
    private var quarantineCount = 0
    /// So many silent sources are called by their name.
    static let namedSilentSources = 5

    init(_ context: ServiceContext, client: BusClient) throws {
        self.context = context
        plan = CachePlan(context.configuration)
        store = try CacheStore(path: context.configuration.store + "/cache.sqlite", history: plan.limits.history)
        self.client = client
        log = context.log
        metrics = context.metrics
        nonce = BusConfiguration.makeNonce()
        core = try load()
        watchFiles()
    }

    var nextDeadline: Instant? {
        if let pause { return pause.until }
        guard let core, hasStarted else { return Instant(milliseconds: 0) }
        return core.nextDeadline
    }

    func handle(_ batch: [BusInput], at now: Instant) throws {
        let jump = clockJump(at: now)
        if let pause, now < pause.until, now >= pause.since { return try answerFromStore(batch) }
        do {
            var core = try core ?? load()
            // While this batch's end is not known, there is no core to go on with.
            self.core = nil
            var actions: [CacheAction] = []
            if !hasStarted {
                actions += core.handle(.start, now: now)
            } else if let jump {
                actions += core.handle(.clockJumped(jump), now: now)
            }
            for input in batch {
                guard let input = translate(input) else { continue }
                actions += core.handle(input, now: now)
            }
            actions += core.handle(.tick, now: now)
            let events = try commit(actions)
            self.core = core
            hasStarted = true
            if pause != nil {
                (pause, readingCore) = (nil, nil)
                store.waitsForLocks = true
                log.notice("The store can be used again.")
                sayReady()
            }
            perform(actions, events: events, now)
        } catch let error as StoreTakenOver {
            log.error("The store is of no more use to this process.", error: error)
            throw error
        } catch {
            discard(error, now)
            try answerFromStore(batch)
        }
    }

    /// By how much the wall clock was set since the last batch, in milliseconds; nil where it only went on.
    private func clockJump(at now: Instant) -> Int64? {
        let running = ContinuousClock.now
        defer { lastMoment = (now, running) }
        guard let last = lastMoment else { return nil }
        let jump = now.milliseconds(since: last.wall) - (running - last.running).wholeMilliseconds
        guard abs(jump) > Self.clockTolerance else { return nil }
        log.warning("The wall clock was set; what waits goes on waiting as long.", [.milliseconds: jump])
        return jump
    }

    /// Reads the configuration anew; a broken one is told, and the old one stays.
    private func reload() -> CacheInput? {
        guard let file = context.configuration.file else { return nil }
        do {
            let configuration = try Configuration.load(path: file, needsSecrets: true)
            for warning in configuration.warnings {
                log.warning("The configuration is probably not meant so.", [.reason: warning])
            }
            if configuration.store != context.configuration.store || configuration.bus != context.configuration.bus {
                log.warning("Another store or bus needs a restart.", [.file: file])
            }
            let plan = CachePlan(configuration)
            guard plan != self.plan else { return nil }
            self.plan = plan
            watchFiles()
            store.history = plan.limits.history
            log.notice("The configuration has changed.", [.file: file, .widgets: plan.widgets.count])
            return .configure(plan)
        } catch {
            log.error("The new configuration is refused; the old one stays.", [.file: file], error: error)
            metrics.counter("configuration.refused").increment()
            return nil
        }
    }

    private func load() throws -> CacheCore {
        // Before anything else is read: the file may be damaged, and another one in its place meanwhile.
        try store.checkOwner()
        loads += 1
        return CacheCore(plan: plan, state: try store.load(), nonce: "\(nonce)-\(loads)")
    }

    func finish() {
        watcher?.stop()
        do {
            try store.close()
        } catch {
            log.warning("The store was not closed cleanly.", [.error: "\(error)"])
        }
    }

    /// Has the files watched that are sources now; without it they are read at their interval.
    private func watchFiles() {
        let requests = plan.widgets.values.lazy.map(\.source)
        let wanted = WatchedFiles(
            directory: requests.compactMap(\.fileDirectory).first,
            files: Set(requests.compactMap(\.file))
        )
        guard wanted != watched else { return }
        let isAgain = watcher != nil
        watcher?.stop()
        (watcher, watched) = (nil, wanted)
        guard let directory = wanted.directory else { return }
        do {
            let client = client
            watcher = try FileWatcher(directory: directory, files: wanted.files) { client.post($0) }
            // Nobody has looked between the two watchers.
            if isAgain { client.post(FilesChanged(paths: nil)) }
        } catch {
            log.warning("Files that are sources cannot be watched.", [.path: directory, .error: "\(error)"])
        }
    }

    // MARK: In

    private func translate(_ input: BusInput) -> CacheInput? {
        switch input {
        case .message(let topic, let frames): return outcome(topic, frames)
        case .request(let request): return translate(request)
        case .publisherConnected(again: true): return .reconnected
        case .posted(let value):
            return value is Reload ? reload() : (value as? FilesChanged).map { .filesChanged($0.paths) }
        case .ready:
            // A new connection begins without what was said before.
            if silence != nil || quarantine != nil { sayReady() }
            return nil
        default: return nil
        }
    }

    private func outcome(_ topic: Topic, _ frames: [Data]) -> CacheInput? {
        do {
            guard let json = frames.first else { throw WireError.malformed(path: "", problem: "has no event") }
            let event = try WireJSON.decode(Event<Fetched>.self, from: json)
            guard let source = event.subject.flatMap(SourceID.init(rawValue:)) else {
                throw WireError.malformed(path: "subject", problem: SourceID.rule)
            }
            guard frames.count == event.data.contents.count + 1 else {
                throw WireError.malformed(
                    path: "data.contents",
                    problem: "names \(event.data.contents.count) of \(frames.count - 1) frames"
                )
            }
            var contents: [ContentDigest: Data] = [:]
            for (reference, bytes) in zip(event.data.contents, frames.dropFirst()) {
                guard SHA256.hexDigest(of: bytes) == reference.digest.rawValue else {
                    throw WireError.malformed(path: "data.contents", problem: "a frame has another digest than named")
                }
                contents[reference.digest] = bytes
            }
            return .fetched(source, event.data, contents: contents)
        } catch {
            metrics.counter("malformed.messages").increment()
            log.warning("Dropped a malformed message.", [.topic: topic.text, .error: "\(error)"])
            return nil
        }
    }

    private func translate(_ request: IncomingRequest) -> CacheInput? {
        do throws(WireError) {
            let head = try request.head()
            switch head.request {
            case LeaseRequest.name:
                let body = try request.decode(LeaseRequest.self).body
                guard request.requester.mayBe(.fetcher) else {
                    metrics.counter("refused.leases").increment()
                    let error = RequestError(.refused, "Leases are given to fetchers that are registered at the bus.")
                    client.reply(to: request, error: error)
                    return nil
                }
                return .lease(
                    asker(request),
                    requestID: request.id.rawValue,
                    deadlineMilliseconds: head.deadlineMilliseconds,
                    body
                )
            case CommandRequest.name:
                let body = try request.decode(CommandRequest.self).body
                return .command(asker(request), deadlineMilliseconds: head.deadlineMilliseconds, body)
            case PushRequest.name:
                let body = try request.decode(PushRequest.self).body
                let bytes = try WireJSON.encode(body.content)
                guard let digest = ContentDigest(rawValue: SHA256.hexDigest(of: bytes)) else { return nil }
                return .push(asker(request), body, digest, bytes)
            case ReplayRequest<Refreshed>.name:
                return .replay(asker(request), try request.decode(ReplayRequest<Refreshed>.self).body)
            case SnapshotRequest<Refreshed>.name:
                return .snapshot(asker(request), try request.decode(SnapshotRequest<Refreshed>.self).body)
            default:
                client.reply(
                    to: request,
                    error: RequestError(.unknownRequest, "The cache knows no request '\(head.request)'.")
                )
            }
        } catch {
            metrics.counter("malformed.requests").increment()
            client.reply(to: request, error: RequestError(.malformed, "The request is not valid: \(error)."))
        }
        return nil
    }

    private func asker(_ request: IncomingRequest) -> AskerToken {
        nextAsker += 1
        askers[nextAsker] = request
        return nextAsker
    }

    // MARK: Commit

    /// So many cycles' bytes are held until they are published; of more, as a start makes them, they are written once more.
    private static let heldEvents = 2048

    /// Writes the batch; gives the bytes of its first cycles in order.
    private func commit(_ actions: [CacheAction]) throws -> [Data] {
        var events: [Data] = []
        let trimmed = try store.commit(actions) { event in
            let bytes = try WireJSON.encode(event)
            if events.count < Self.heldEvents { events.append(bytes) }
            return bytes
        }
        if trimmed.cycles > 0 { metrics.counter("history.trimmedCycles").increment(by: Int64(trimmed.cycles)) }
        if trimmed.contents > 0 { metrics.counter("history.trimmedContents").increment(by: Int64(trimmed.contents)) }
        return events
    }

    /// After a commit that failed, or whose end is unknown, only the store is right: nothing else of the batch is
    /// done, and the next one starts from the store.
    ///
    /// Askers ask again.
    private func discard(_ error: any Error, _ now: Instant) {
        log.error("A batch could not be committed; the next one starts from the store.", [.error: "\(error)"])
        metrics.counter("failed.commits").increment()
        client.setHealth(.degraded, message: "The store cannot be used: \(error)")
        (core, readingCore) = (nil, nil)
        hasStarted = false
        askers = [:]
        store.waitsForLocks = false
        pause = (now, now.advanced(byMilliseconds: Self.storePause))
    }

    /// Answers what needs no write; the others are told to ask again.
    private func answerFromStore(_ batch: [BusInput]) throws {
        // A reload that comes now is done with the next start.
        for case .posted(let value) in batch where value is Reload { _ = reload() }
        let requests = batch.compactMap { input in
            guard case .request(let request) = input else { return nil as IncomingRequest? }
            return request
        }
        guard !requests.isEmpty else { return }
        do {
            try store.checkOwner()
            if readingCore == nil { readingCore = try load() }
        } catch let error as StoreTakenOver {
            log.error("The store is of no more use to this process.", error: error)
            throw error
        } catch {
            for request in requests { fail(request, error) }
            return
        }
        for request in requests {
            guard let input = translate(.request(request)) else { continue }
            switch input {
            case .replay(let asker, let body): answer(asker, from: body.from)
            case .snapshot(let asker, let body):
                for case .answerSnapshot(let asker, let widgets) in readingCore?.handle(
                    .snapshot(asker, body),
                    now: .now
                ) ?? [] {
                    answer(asker, lastOf: widgets)
                }
            default:
                client.reply(
                    to: request,
                    error: RequestError(.failed, "The cache cannot write to its store now; try again.")
                )
            }
        }
        askers = [:]
    }

    // MARK: Out

    private func perform(_ actions: [CacheAction], events: [Data], _ now: Instant) {
        var events = events.makeIterator()
        var newContents: [ContentDigest: Data] = [:]
        for action in actions {
            do {
                switch action {
                case .storeContent(let digest, let bytes): newContents[digest] = bytes
                case .cycle(let event):
                    try publish(event, try events.next() ?? WireJSON.encode(event), newContents)
                case .republish(let widget, let sequence): try republish(widget, sequence)
                case .publishHeads(let heads): try publishHeads(heads, now)
                case .answerLease(let asker, let answer): reply(asker) { client.reply(to: $0, result: answer) }
                case .answerCycle(let asker, let answer): reply(asker) { client.reply(to: $0, result: answer) }
                case .answerError(let asker, let error): reply(asker) { client.reply(to: $0, error: error) }
                case .forgetAsker(let asker): askers[asker] = nil
                case .answerReplay(let asker, let from): answer(asker, from: from)
                case .answerSnapshot(let asker, let widgets): answer(asker, lastOf: widgets)
                case .reportLocation(let configured, let location):
                    log.notice(
                        "A source has another address than the configured one, which is asked from now on.",
                        [.url: configured, .address: location]
                    )
                case .reportGone(let url):
                    log.notice(
                        "A source is gone for good (410); it is asked again when somebody refreshes its widget.",
                        [.url: url]
                    )
                case .reportSilence(let sources): report(sources)
                case .reportQuarantine(let sources): report(sources)
                case .reportBehind(let widget, let sequence):
                    log.warning(
                        "Somebody has seen numbers that this store has not given out: was it put back?",
                        [.widget: widget, .sequence: sequence]
                    )
                case .count(let counter): metrics.counter(counter.rawValue).increment()
                case .saveWidget, .saveSource, .forgetSource, .saveLease, .endLease, .saveHost, .forgetHost,
                    .forgetRestore, .saveCommand, .forgetCommands, .trimContents, .trimHistory:
                    break
                }
            } catch {
                // It is committed, so heads and replays bring it to whoever lacks it.
                log.error("Something committed could not be sent.", [.error: "\(error)"])
                metrics.counter("failed.sends").increment()
            }
        }
        do {
            try store.checkpointIfNeeded()
        } catch {
            log.warning("The store's log could not be emptied.", [.error: "\(error)"])
        }
    }

    /// Says in the heartbeats which sources have been silent for too long.
    private func report(_ silent: [SilentSource]) {
        silence = silent.isEmpty ? nil : CacheService.words(silent)
        silentCount = silent.count
        if let silence { log.notice("Sources have not changed for far longer than they used to.", [.reason: silence]) }
        sayReady()
    }

    /// Says in the heartbeats of which sources the leases run out.
    private func report(_ quarantined: [QuarantinedSource]) {
        quarantine = quarantined.isEmpty ? nil : CacheService.words(quarantined)
        quarantineCount = quarantined.count
        if let quarantine {
            log.warning("Leases of sources run out; they are asked less often.", [.reason: quarantine])
        }
        sayReady()
    }

    private func sayReady() {
        let messages = [quarantine, silence].compactMap { $0 }
        client.setHealth(
            .ready,
            message: messages.isEmpty ? nil : messages.joined(separator: "; "),
            counters: ["silent.sources": Int64(silentCount), "quarantined.sources": Int64(quarantineCount)]
        )
    }

    /// Returns a sentence that names the first quarantined sources.
    static func words(_ quarantined: [QuarantinedSource]) -> String {
        let named = quarantined.prefix(namedSilentSources).map { source in
            "\(source.widget)\(source.host.isEmpty ? "" : " at \(source.host)") (\(source.leases) leases in a row)"
        }
        let rest = quarantined.count - named.count
        return "No outcome from fetchers: " + named.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    }

    /// The longest silences by name, in so many words.
    static func words(_ silent: [SilentSource]) -> String {
        let named = silent.prefix(namedSilentSources).map { source in
            let hours = source.usualPauseMilliseconds / 3_600_000
            let pause = hours < 48 ? hours < 2 ? "hour or sooner" : "\(hours) hours" : "\(hours / 24) days"
            return "\(source.widget) (usually every \(pause), last \(source.lastChange))"
        }
        let rest = silent.count - named.count
        return "No change for far longer than usual: " + named.joined(separator: ", ")
            + (rest > 0 ? " and \(rest) more" : "")
    }

    private func reply(_ asker: AskerToken, _ send: (IncomingRequest) -> Void) {
        guard let request = askers.removeValue(forKey: asker) else { return }
        send(request)
    }

    private func publish(_ event: Event<Refreshed>, _ bytes: Data, _ newContents: [ContentDigest: Data]) throws {
        guard let widget = event.widget else { return }
        var frames = [bytes]
        if let content = event.data.content, event.data.contentSequence == event.range?.sequence {
            guard let body = try newContents[content.digest] ?? store.content(content.digest) else {
                throw CorruptStore(column: "contents.digest")
            }
            frames.append(body)
        }
        client.publish(.refreshed(widget), frames)
    }

    private func republish(_ widget: WidgetID, _ sequence: SequenceNumber) throws {
        guard let kept = try store.cycle(of: widget, at: sequence) else { return }
        try publish(try WireJSON.decode(Event<Refreshed>.self, from: kept.event), kept.event, [:])
    }

    private func publishHeads(_ heads: [WidgetID: Head], _ now: Instant) throws {
        headsPublished += 1
        let topic = Topic.heads(of: .cache)
        let event = Event(
            topic,
            subject: nil,
            nonce: nonce,
            counter: headsPublished,
            time: now,
            data: CacheHeads(heads: heads)
        )
        client.publish(topic, [try WireJSON.encode(event)])
    }

    // MARK: Replays

    private func answer(_ asker: AskerToken, from: [WidgetID: SequenceNumber]) {
        answer(asker) { try RecordPage.replay(from: from, of: store) }
    }

    private func answer(_ asker: AskerToken, lastOf widgets: ArraySlice<WidgetID>) {
        answer(asker) {
            try RecordPage.snapshot(of: widgets, heads: { (core ?? readingCore)?.state.widgets[$0]?.head }, in: store)
        }
    }

    private func answer(_ asker: AskerToken, _ read: () throws -> RecordPage) {
        guard let request = askers.removeValue(forKey: asker) else { return }
        do {
            let page = try read()
            for (widget, sequence) in page.lacking {
                log.error("The store lacks the content of a cycle.", [.widget: widget, .sequence: sequence])
                metrics.counter("lacking.contents").increment()
            }
            client.reply(to: request, result: page.answer, contents: page.frames)
        } catch {
            fail(request, error)
        }
    }

    private func fail(_ request: IncomingRequest, _ error: any Error) {
        log.error("Records could not be read.", [.error: "\(error)"])
        client.reply(to: request, error: RequestError(.failed, "The cache cannot read its store; try again."))
    }
}
