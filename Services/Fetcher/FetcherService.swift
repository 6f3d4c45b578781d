// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import HTTPTransport
import MessageBus
import ServiceRuntime
import SourceFetching
import SourceParsing
import Telemetry
import WidgetSchema

/// The fetcher's shell: asks the cache for leases, origins for answers, and publishes what came of it.
struct FetcherService: Service {
    static let filesOption = Option(
        "files",
        value: "DIR",
        help: "Read file sources below DIR (default: TIDINGS_FILES; without either, no file is read)."
    )

    let context: ServiceContext

    /// Returns the directory below which files are read: from the option, else from the environment.
    ///
    /// It never comes from a lease: whoever can forge one could read any file of this process's user.
    static func fileDirectory(_ options: ParsedOptions, environment: [String: String]) -> String? {
        [options.value(filesOption.name), environment[EnvironmentVariable.files.name]].lazy
            .compactMap { $0 }.first { !$0.isEmpty }
            .map { URL(filePath: $0).standardizedFileURL.path }
    }

    func run() async throws {
        let userAgent = "Tidings/\(TidingsVersion.current)"
        try await withHTTPClient(configuration: HTTPClientConfiguration(userAgent: userAgent)) { http in
            try await BatchService(context, subscriptions: []) { bus in
                FetcherHandler(context, bus: bus, http: http)
            }.run()
        }
    }
}

/// The state of a fetcher on its thread.
final class FetcherHandler: BatchHandler {
    /// A transfer whose answer was read, by one of the parsers' threads.
    private struct Read: Sendable {
        enum Finding: Sendable {
            case outcome(FetchOutcome)
            /// It is a page that announces this feed.
            case announces(String)
        }

        var lease: Lease
        var finding: Finding
    }

    private let bus: BusClient
    private let http: HTTPClient
    private let metrics: Metrics
    private let log: Logger
    private let limits = FetcherLimits()
    private let fileDirectory: String?
    private let parsers = ParserThreads(count: ProcessInfo.processInfo.activeProcessorCount)
    private let nonce = BusConfiguration.makeNonce()
    private let clock = ContinuousClock()
    private let started = ContinuousClock.now
    private var core: FetcherCore
    private var asks: [RequestID: AskNumber] = [:]
    /// What is under way, with its transfer where it is none of a file.
    private var transfers: [LeaseID: TransferID?] = [:]
    /// When each fetch has to have an outcome.
    private var ends: [LeaseID: Int64] = [:]
    private var published: UInt64 = 0

    init(_ context: ServiceContext, bus: BusClient, http: HTTPClient) {
        self.bus = bus
        self.http = http
        metrics = context.metrics
        log = context.log
        fileDirectory = FetcherService.fileDirectory(
            context.options,
            environment: ProcessInfo.processInfo.environment
        )
        core = FetcherCore(limits: limits, parserVersion: SourceParser.version)
    }

    var nextDeadline: Instant? {
        core.nextDeadline.map { Instant.now.advanced(byMilliseconds: max(0, $0 - elapsed)) }
    }

    var isFinished: Bool { core.isFinished }

    func beginStop(at now: Instant) {
        perform(core.handle(.stop, now: elapsed), at: now)
    }

    func finish() {
        parsers.stop()
    }

    func handle(_ batch: [BusInput], at now: Instant) {
        for input in batch {
            guard let input = translate(input) else { continue }
            perform(core.handle(input, now: elapsed), at: now)
        }
        perform(core.handle(.tick, now: elapsed), at: now)
    }

    /// Milliseconds since the start, sleep of the machine included.
    private var elapsed: Int64 { (clock.now - started).wholeMilliseconds }

    // MARK: In

    private func translate(_ input: BusInput) -> FetcherInput? {
        switch input {
        case .answer(let id, let json, _):
            guard let number = asks.removeValue(forKey: id) else { return nil }
            do {
                return .leases(number, try WireJSON.decode(Answer<LeaseAnswer>.self, from: json).get())
            } catch {
                log.warning("The cache's answer to a lease request is not usable.", [.error: "\(error)"])
                return .askFailed(number)
            }
        case .requestFailed(let id, let error):
            guard let number = asks.removeValue(forKey: id) else { return nil }
            log.debug("A lease request was not answered.", [.error: "\(error)"])
            return .askFailed(number)
        case .posted(let value):
            guard let read = value as? Read else { return nil }
            // What was aborted has no outcome.
            guard transfers.removeValue(forKey: read.lease.id) != nil else { return nil }
            switch read.finding {
            case .announces(let feed):
                fetch(read.lease, announced: feed)
                return nil
            case .outcome(let outcome):
                ends[read.lease.id] = nil
                return .fetched(read.lease.id, outcome)
            }
        default:
            return nil
        }
    }

    // MARK: Out

    private func perform(_ actions: [FetcherAction], at now: Instant) {
        for action in actions {
            switch action {
            case .ask(let number, let request):
                let deadline = Duration.milliseconds(limits.requestDeadline)
                asks[bus.request(RequestTarget(.cache), request, deadline: deadline)] = number
            case .fetch(let lease, let end):
                ends[lease.id] = end
                fetch(lease)
            case .abort(let lease):
                ends[lease] = nil
                if let transfer = transfers.removeValue(forKey: lease) ?? nil { http.cancel(transfer) }
            case .publish(let source, let outcome): publish(outcome, of: source, at: now)
            case .count(let counter): metrics.counter(counter.rawValue).increment()
            }
        }
    }

    /// Asks the leased address, or the feed that it has announced; the answer is read on a thread of the parsers, so
    /// that a large one holds up neither this thread nor the transfers'.
    private func fetch(_ lease: Lease, announced: String? = nil) {
        let (bus, parsers, fileDirectory) = (bus, parsers, fileDirectory)
        guard FileSource.path(of: lease.url) == nil else {
            transfers.updateValue(nil, forKey: lease.id)
            parsers.run {
                let reader = OutcomeReader(lease: lease, answeredAt: .now)
                bus.post(Read(lease: lease, finding: .outcome(reader.outcomeOfFile(below: fileDirectory))))
            }
            return
        }
        // A slow origin is a failure that is told, not a lease that runs out.
        let left = Duration.milliseconds(max(1, (ends[lease.id] ?? elapsed) - elapsed))
        let request = HTTPRequest(lease, announced: announced, totalDeadline: left)
        transfers[lease.id] = http.start(request) { result in
            let reader = OutcomeReader(lease: lease, answeredAt: .now, announced: announced)
            parsers.run {
                let feed = reader.announcedFeed(in: result)
                bus.post(
                    Read(lease: lease, finding: feed.map { .announces($0) } ?? .outcome(reader.outcome(of: result)))
                )
            }
        }
    }

    private func publish(_ outcome: FetchOutcome, of source: SourceID, at now: Instant) {
        published += 1
        let topic = Topic.fetched(source)
        let event = Event(
            topic,
            subject: source.rawValue,
            nonce: nonce,
            counter: published,
            time: now,
            data: outcome.data
        )
        do {
            bus.publish(topic, [try WireJSON.encode(event)] + outcome.contents)
        } catch {
            log.error("An outcome could not be published.", [.source: source.rawValue, .error: "\(error)"])
        }
    }
}
