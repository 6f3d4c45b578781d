// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import Cryptography
import Foundation
import MessageBus
import ServiceRuntime
import Storage
import Telemetry
import WidgetSchema

/// The adapter that connects the cache's core with the bus, the configuration and the watched files.
final class CacheAdapter: ServiceAdapter {
    typealias Core = CacheCore

    /// The paths of all file sources, relative to `directory`.
    ///
    /// If no source is a file, `directory` is nil and `files` is empty.
    private struct WatchedFiles: Equatable {
        var directory: String?
        var files: Set<String> = []
    }

    /// The input that requests a reload of the configuration.
    struct Reload: Sendable {}

    private let context: ServiceContext
    private var plan: CachePlan
    private let client: BusClient
    private let log: Logger
    private let metrics: Metrics
    private let nonce: String
    private let storeSize: StoreSize?
    private var pending = PendingRequests()
    /// A Boolean value that indicates whether the next core reads all files again.
    ///
    /// It is true at the start, before which nobody watched them, and after a core was discarded, or has refused a change.
    private var hasMissedFiles = true
    /// The number of messages with last values, which are the heads and the planned fetches.
    private var lastValueMessages: UInt64 = 0
    /// The health message about sources that have not changed for much longer than usual; nil if there are none.
    private var silence: String?
    /// The sentence about the last read of the store if it failed.
    private var readProblem: String?
    /// The sentence about the configuration file if it is invalid since it was changed.
    private var configurationProblem: String?
    private var watcher: FileWatcher?
    private var watched = WatchedFiles()
    private var silentCount = 0
    /// The health message about quarantined sources, whose leases have expired repeatedly; nil if there are none.
    private var quarantine: String?
    private var quarantineCount = 0
    /// The maximum number of silent sources that a heartbeat names; the same limit applies to quarantined sources.
    static let namedSilentSources = 5

    init(_ context: ServiceContext, client: BusClient) {
        self.context = context
        plan = CachePlan(context.takeConfiguration())
        // Reading a large configuration takes much memory for a short time.
        Allocator.returnFreeMemory()
        self.client = client
        log = context.log
        metrics = context.metrics
        nonce = BusConfiguration.makeNonce()
        storeSize = StoreSize(of: context.service.rawValue, in: context.settings.store, metrics: metrics)
        watchFiles()
    }

    var setup: CacheSetup { CacheSetup(plan: plan, nonce: nonce, filesMayHaveChanged: hasMissedFiles) }

    func discarded() {
        pending.removeAll()
        hasMissedFiles = true
        // The next core reports the silent and the quarantined sources again.
        (silence, silentCount, quarantine, quarantineCount) = (nil, 0, nil, 0)
    }

    func finish() { watcher?.stop() }

    /// Reloads the configuration file and returns `.configure` with the new plan; nil if there is no file, if the plan
    /// is unchanged, or if the file is invalid.
    private func reload() -> CacheInput? {
        guard let file = context.settings.file else { return nil }
        do throws(ServiceContext.ReloadFailure) {
            let configuration = try context.load(file, needsSecrets: .ofSources)
            note(configurationProblem: nil)
            if configuration.store != context.settings.store || configuration.bus != context.settings.bus {
                log.warning("The store or bus settings have changed; restart the service to apply them.", [.file: file])
            }
            context.configurationDigest.set(configuration.digest)
            let plan = CachePlan(configuration)
            guard plan != self.plan else { return nil }
            self.plan = plan
            watchFiles()
            log.notice("Reloaded the configuration.", [.file: file, .widgets: plan.widgets.count])
            return .configure(plan)
        } catch {
            note(configurationProblem: error.problem)
            return nil
        }
    }

    private func note(configurationProblem problem: String?) {
        guard problem != configurationProblem else { return }
        configurationProblem = problem
        sayHealth()
    }

    /// Starts to watch the files of all file sources; if that fails, the sources are still read at their intervals.
    private func watchFiles() {
        let sources = plan.widgets.values.lazy.map(\.source)
        let wanted = WatchedFiles(
            directory: sources.compactMap(\.fileDirectory).first,
            files: Set(sources.compactMap(\.file))
        )
        guard wanted != watched else { return }
        let isAgain = watcher != nil
        watcher?.stop()
        (watcher, watched) = (nil, wanted)
        guard let directory = wanted.directory else { return }
        let (client, log, failures) = (client, log, metrics.counter(ServiceContext.watchFailureCounter))
        let failed = { @Sendable (failure: FileWatcher.Failure) in
            failures.increment()
            log.warning("Source files cannot be watched; they are polled.", [.path: directory], error: failure)
        }
        do throws(FileWatcher.Failure) {
            let report = { @Sendable (changed: FilesChanged) in client.post(changed) }
            let target = FileWatcher.Target.files(wanted.files)
            watcher = try FileWatcher(directory: directory, target: target, report: report, failed: failed)
            // Files may have changed after the old watcher stopped and before the new one started.
            if isAgain { client.post(FilesChanged(paths: nil)) }
        } catch {
            failed(error)
        }
    }

    // MARK: Inputs

    func input(_ input: BusInput) -> CacheInput? {
        switch input {
        case .message(let topic, let frames): return outcome(topic, frames)
        case .request(let request): return translate(request)
        case .publisherConnected(again: true): return .reconnected
        case .posted(let value):
            return value is Reload ? reload() : (value as? FilesChanged).map { .filesChanged($0.paths) }
        case .ready:
            // The engine's loop has just set the health without a message, so the messages are set again.
            if silence != nil || quarantine != nil || readProblem != nil { sayHealth() }
            return nil
        default: return nil
        }
    }

    private func outcome(_ topic: Topic, _ frames: [Data]) -> CacheInput? {
        do {
            guard let json = frames.first else {
                throw WireError.malformed(path: "", problem: "the message contains no event")
            }
            let event = try WireJSON.decode(Event<Fetched>.self, from: json)
            guard let source = event.subject.flatMap(SourceID.init(rawValue:)) else {
                throw WireError.malformed(path: "subject", problem: SourceID.rule)
            }
            guard frames.count == event.data.contents.count + 1 else {
                throw WireError.malformed(
                    path: "data.contents",
                    problem: "lists \(event.data.contents.count) contents, but the message has \(frames.count - 1)"
                )
            }
            var contents: [ContentDigest: Data] = [:]
            for (reference, bytes) in zip(event.data.contents, frames.dropFirst()) {
                guard SHA256.hexDigest(of: bytes) == reference.digest.rawValue else {
                    let problem = "a content does not have the announced digest"
                    throw WireError.malformed(path: "data.contents", problem: problem)
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
                guard isFrom(.fetcher, request, "refused.leases") else { return nil }
                return .lease(
                    pending.add(request),
                    requestID: request.id.rawValue,
                    deadlineMilliseconds: head.deadlineMilliseconds,
                    body
                )
            case CommandRequest.name:
                let body = try request.decode(CommandRequest.self).body
                try CommandRequest.checkMembers(of: request.json)
                guard let requester = pending.addOnce(request) else { return nil }
                return .command(requester, deadlineMilliseconds: head.deadlineMilliseconds, body)
            case PushRequest.name:
                var body = try request.decode(PushRequest.self).body
                body.content = body.content.normalized
                let bytes = try WireJSON.encode(body.content)
                guard let digest = ContentDigest(rawValue: SHA256.hexDigest(of: bytes)) else { return nil }
                return .push(pending.add(request), body, digest, bytes)
            case ReplayRequest<Refreshed>.name:
                return .replay(pending.add(request), try request.decode(ReplayRequest<Refreshed>.self).body)
            case ConfirmRequest.name:
                let body = try request.decode(ConfirmRequest.self).body
                guard isFrom(.notifier, request, "refused.confirms") else { return nil }
                return .confirm(pending.add(request), body)
            case ShownRequest.name:
                let body = try request.decode(ShownRequest.self).body
                guard isFrom(.gateway, request, "refused.shown") else { return nil }
                return .shown(pending.add(request), body)
            case SnapshotRequest<Refreshed>.name:
                return .snapshot(pending.add(request), try request.decode(SnapshotRequest<Refreshed>.self).body)
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

    /// Returns whether a request is from a registered instance of a service; otherwise refuses and counts it.
    private func isFrom(_ service: ServiceName, _ request: IncomingRequest, _ counter: String) -> Bool {
        if request.requester.mayBe(service) { return true }
        metrics.counter(counter).increment()
        let error = RequestError(.refused, "Only a \(service) that is registered at the bus may send this request.")
        client.reply(to: request, error: error)
        return false
    }

    // MARK: Effects

    func perform(_ effect: CacheEffect, reading reader: CacheStore) {
        do {
            switch effect {
            case .publishHeads(let heads, let now):
                storeSize?.measure()
                try publish(CacheHeads(heads: heads), on: .heads(of: .cache), at: now)
            case .publish(let cycle, let content):
                let content = try cycle.newContent.map { try body(of: $0, content, reader) }
                publish(cycle.bytes, of: cycle.widget, content: content)
            case .republish(let widget, let sequence, let content):
                guard let kept = try reader.cycle(of: widget, at: sequence) else { break }
                let content = try content.map { try body(of: $0, nil, reader) }
                publish(kept.event, of: widget, content: content)
            case .publishSchedule(let schedule, let now): try publish(schedule, on: .schedule(of: .cache), at: now)
            case .answerLease(let requester, let answer): reply(requester) { client.reply(to: $0, result: answer) }
            case .answerCycle(let requester, let answer): reply(requester) { client.reply(to: $0, result: answer) }
            case .answerConfirm(let requester, let answer): reply(requester) { client.reply(to: $0, result: answer) }
            case .answerShown(let requester, let answer): reply(requester) { client.reply(to: $0, result: answer) }
            case .answerError(let requester, let error): reply(requester) { client.reply(to: $0, error: error) }
            case .forgetRequester(let requester): _ = pending.remove(requester)
            case .answerReplay(let requester, let from):
                answer(requester) { try CyclePage.replay(from: from, of: reader) }
            case .answerSnapshot(let requester, let widgets):
                answer(requester) { try CyclePage.snapshot(of: widgets, in: reader) }
            case .filesScheduled: hasMissedFiles = false
            case .count(let counter): metrics.counter(counter.rawValue).increment()
            case .reportSilence(let sources): report(sources)
            case .reportQuarantine(let sources): report(sources)
            case .reportLocation, .reportGone, .reportClockChange, .reportRestore, .reportUnwritable:
                tell(effect)
            }
        } catch {
            // The message is committed: consumers learn from the heads that they miss it, and request a replay.
            log.error("A committed message could not be sent; consumers will request it.", [.error: "\(error)"])
            metrics.counter("failed.sends").increment()
        }
    }

    private func tell(_ effect: CacheEffect) {
        switch effect {
        case .reportLocation(let configured, let location):
            let address = location.map(ShownURL.text) ?? "the configured address"
            log.notice("A source has moved.", [.url: ShownURL.text(configured), .address: address])
        case .reportGone(let url):
            log.notice(
                "A source is permanently gone (410); it is fetched again when a user refreshes its widget.",
                [.url: ShownURL.text(url)]
            )
        case .reportRestore(let widgets):
            log.notice("The store was restored; widgets continue with unused sequence numbers.", [.widgets: widgets])
        case .reportClockChange(let milliseconds):
            log.warning("The wall clock was changed; timers keep their duration.", [.milliseconds: milliseconds])
        case .reportUnwritable(let widget, let error):
            metrics.counter("failed.cycles").increment()
            log.error("Dropped a cycle that could not be encoded.", [.widget: widget], error: error)
        default: break
        }
    }

    private func refuse(_ requester: RequesterID, _ reason: String) {
        reply(requester) { client.reply(to: $0, error: RequestError(.failed, reason)) }
    }

    func refuse(_ input: CacheInput) {
        switch input {
        case .lease(let requester, _, _, _), .command(let requester, _, _), .push(let requester, _, _, _),
            .replay(let requester, _), .snapshot(let requester, _), .confirm(let requester, _),
            .shown(let requester, _):
            refuse(requester, "The cache cannot write to its store now; try again.")
        case .filesChanged: hasMissedFiles = true
        case .start, .fetched, .reconnected, .configure, .clockJumped, .tick: break
        }
    }

    /// Reports in heartbeats which sources have not changed for much longer than usual.
    private func report(_ silent: [SilentSource]) {
        silence = silent.isEmpty ? nil : CacheAdapter.words(silent)
        silentCount = silent.count
        if let silence { log.notice("Sources have not changed for much longer than usual.", [.reason: silence]) }
        sayHealth()
    }

    /// Reports in heartbeats which sources are quarantined, because their leases have expired repeatedly.
    private func report(_ quarantined: [QuarantinedSource]) {
        quarantine = quarantined.isEmpty ? nil : CacheAdapter.words(quarantined)
        quarantineCount = quarantined.count
        if let quarantine {
            log.warning(
                "Leases expired without an outcome; their sources are now fetched less often.",
                [.reason: quarantine]
            )
        }
        sayHealth()
    }

    func resumed() { sayHealth() }

    private func sayHealth() {
        metrics.gauge("silent.sources").set(Int64(silentCount))
        metrics.gauge("quarantined.sources").set(Int64(quarantineCount))
        let problems = [configurationProblem, readProblem].compactMap { $0 }
        let messages = problems + [quarantine, silence].compactMap { $0 }
        client.setHealth(
            problems.isEmpty ? .ready : .degraded,
            message: messages.isEmpty ? nil : messages.joined(separator: "; ")
        )
    }

    private func reply(_ requester: RequesterID, _ send: (IncomingRequest) -> Void) {
        guard let request = pending.remove(requester) else { return }
        send(request)
    }

    private func publish(_ event: Data, of widget: WidgetID, content: Data?) {
        client.publish(.refreshed(widget), content.map { [event, $0] } ?? [event])
    }

    private func body(of digest: ContentDigest, _ content: Data?, _ reader: CacheStore) throws -> Data {
        guard let body = try content ?? reader.content(digest) else { throw CorruptStore(column: "contents.digest") }
        return body
    }

    private func publish(_ lastValues: some EventPayload, on topic: Topic, at now: Instant) throws {
        lastValueMessages += 1
        let event = Event(topic, subject: nil, nonce: nonce, counter: lastValueMessages, time: now, data: lastValues)
        client.publish(topic, [try WireJSON.encode(event)])
    }

    // MARK: Replays

    private func answer(_ requester: RequesterID, _ read: () throws -> CyclePage) {
        guard let request = pending.remove(requester) else { return }
        do {
            let page = try read()
            note(readProblem: nil)
            for (widget, sequence) in page.lacking {
                log.error("Sent a cycle whose content is not in the store.", [.widget: widget, .sequence: sequence])
                metrics.counter("lacking.contents").increment()
            }
            client.reply(to: request, result: page.answer, contents: page.frames)
        } catch {
            note(readProblem: "Cycles cannot be read from the store: \(error)")
            log.error("The stored cycles that a client requested could not be read.", [.error: "\(error)"])
            client.reply(to: request, error: RequestError(.failed, "The cache cannot read its store; try again."))
        }
    }

    /// Records whether the last read of the store failed.
    private func note(readProblem problem: String?) {
        guard problem != readProblem else { return }
        readProblem = problem
        sayHealth()
    }
}
