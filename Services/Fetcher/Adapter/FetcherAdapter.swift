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

/// The adapter between the bus, the origins and a fetcher's core.
final class FetcherAdapter: ServiceAdapter {
    typealias Core = FetcherCore

    /// The result of reading a file or an origin's answer on a worker thread.
    private struct Read: Sendable {
        enum Finding: Sendable {
            case outcome(FetchOutcome)
            /// The answer requires a second request, which is the associated value.
            case needsFollowUp(FollowUp)
        }

        var lease: Lease
        var finding: Finding
    }

    private let bus: BusClient
    private let http: HTTPClient
    private let metrics: Metrics
    private let log: Logger
    let setup = FetcherSetup(parserVersion: SourceParser.version, clockStart: .now)
    private let fileDirectory: String?
    private let quarantine: BodyQuarantine
    /// The threads that parse documents, one per processor.
    ///
    /// Their priority is lower than that of the thread that runs this adapter and of the threads for HTTP transfers.
    private let parsers = WorkerPool(
        named: "parser",
        WorkerPool<Void>.Options(threads: ProcessInfo.processInfo.activeProcessorCount, niceness: 5)
    ) {}
    /// The threads that read and parse files.
    ///
    /// They are apart from `parsers`, because a read from a network disk may block for ever.
    private let fileReaders = WorkerPool(named: "file", WorkerPool<Void>.Options(threads: 2, niceness: 5)) {}
    private let documents: DocumentRequests
    private let nonce = BusConfiguration.makeNonce()
    private var leaseRequests: [RequestID: LeaseRequestNumber] = [:]
    /// The HTTP transfers in flight, by the lease that each transfer belongs to.
    private var transfers: [LeaseID: TransferID] = [:]
    private var published: UInt64 = 0

    /// `inspections` is the client for the requests of ``DocumentRequests``.
    init(_ context: ServiceContext, bus: BusClient, http: HTTPClient, inspections: HTTPClient) {
        self.bus = bus
        self.http = http
        metrics = context.metrics
        log = context.log
        documents = DocumentRequests(context, bus: bus, http: inspections)
        fileDirectory = FetcherService.fileDirectory(
            context.options,
            environment: ProcessInfo.processInfo.environment
        )
        quarantine = BodyQuarantine { [log = context.log, metrics = context.metrics] source, reason in
            metrics.limit("fetcher.processorTime").increment()
            log.warning(
                "A document took too long to read, and is not read again until it changes.",
                [.source: source, .reason: reason]
            )
            bus.setHealth(.ready, message: "A document took too long to read: \(reason)")
        }
    }

    func finish() {
        parsers.stop()
        fileReaders.stop()
        documents.stop()
    }

    func refuse(_ input: FetcherInput) {}

    // MARK: Inputs

    func input(_ input: BusInput) -> FetcherInput? {
        switch input {
        case .answer(let id, let json, _):
            guard let number = leaseRequests.removeValue(forKey: id) else { return nil }
            do {
                return .leases(number, try WireJSON.decode(Answer<LeaseAnswer>.self, from: json).get())
            } catch {
                log.warning("The cache's answer to a lease request could not be decoded.", [.error: "\(error)"])
                return .leaseRequestFailed(number)
            }
        case .requestFailed(let id, let error):
            guard let number = leaseRequests.removeValue(forKey: id) else { return nil }
            log.debug("A lease request to the cache failed.", [.error: "\(error)"])
            return .leaseRequestFailed(number)
        case .request(let request):
            answer(request)
            return nil
        case .posted(let value):
            guard let read = value as? Read else { return nil }
            transfers[read.lease.id] = nil
            switch read.finding {
            case .needsFollowUp(let followUp): return .needsFollowUp(read.lease.id, followUp)
            case .outcome(let outcome): return .fetched(read.lease.id, outcome)
            }
        default:
            return nil
        }
    }

    /// Answers a request from the bus; the bus client itself answers the request `health`.
    private func answer(_ request: IncomingRequest) {
        do throws(WireError) {
            let name = try request.head().request
            guard try !documents.handle(request, named: name) else { return }
            let text = "The fetcher does not support the request '\(name)'."
            bus.reply(to: request, error: RequestError(.unknownRequest, text))
        } catch {
            metrics.counter("malformed.requests").increment()
            bus.reply(to: request, error: RequestError(.malformed, "The request is not valid: \(error)."))
        }
    }

    // MARK: Effects

    func perform(_ effect: FetcherEffect, reading reader: Void) {
        switch effect {
        case .ask(let number, let request):
            leaseRequests[bus.request(RequestTarget(.cache), request, deadline: setup.limits.requestDeadline)] = number
        case .fetch(let lease, let followUp, let end): fetch(lease, after: followUp, by: end)
        case .abort(let lease): if let transfer = transfers.removeValue(forKey: lease) { http.cancel(transfer) }
        case .publish(let source, let outcome): publish(outcome, of: source)
        case .count(let counter): metrics.counter(counter.rawValue).increment()
        }
    }

    /// Starts the HTTP request of a lease; if the lease is for a file, starts to read the file.
    ///
    /// `followUp` is the second request, which the origin's first answer required; nil for the first request. The
    /// transfer must end before `end`, a duration since `setup.clockStart`. A parser thread parses the answer; a
    /// thread of `fileReaders` reads and parses the file. So a large document blocks neither the calling thread nor a
    /// thread for HTTP transfers.
    private func fetch(_ lease: Lease, after followUp: FollowUp?, by end: Duration) {
        let (bus, parsers, fileDirectory, quarantine) = (bus, parsers, fileDirectory, quarantine)
        let (metrics, log) = (metrics, log)
        // The transfer must end before the lease does, so that a slow origin is reported as a failure.
        let left = max(.milliseconds(1), end - setup.elapsed(at: .now))
        let processorTime = min(ParsingWork.defaultProcessorTime, left / 4)
        @Sendable func reader() -> OutcomeReader {
            OutcomeReader(
                lease: lease,
                answeredAt: .now,
                after: followUp,
                processorTime: processorTime,
                quarantine: quarantine,
                onLimits: { limits in
                    for limit in limits { metrics.limit("parsing.\(limit.rawValue)").increment() }
                    log.info(
                        "A document exceeds a limit; the rest of it was ignored.",
                        [.source: lease.source, .limit: limits.map(\.rawValue).sorted().joined(separator: ",")]
                    )
                }
            )
        }
        guard FileURL.path(of: lease.url) == nil else {
            let deadline = ContinuousClock.now + left
            fileReaders.submit { _ in
                // While other files did not answer, the lease may have ended.
                guard ContinuousClock.now < deadline else { return }
                bus.post(Read(lease: lease, finding: .outcome(reader().outcomeOfFile(below: fileDirectory))))
            }
            return
        }
        let request = HTTPRequest(lease, after: followUp, totalDeadline: left)
        transfers[lease.id] = http.start(request) { result in
            let reader = reader()
            parsers.submit { _ in
                let next = reader.followUp(after: result)
                let finding = next.map(Read.Finding.needsFollowUp) ?? .outcome(reader.outcome(of: result))
                bus.post(Read(lease: lease, finding: finding))
            }
        }
    }

    private func publish(_ outcome: FetchOutcome, of source: SourceID) {
        published += 1
        let topic = Topic.fetched(source)
        let event = Event(
            topic,
            subject: source.rawValue,
            nonce: nonce,
            counter: published,
            time: .now,
            data: outcome.data
        )
        do {
            bus.publish(topic, [try WireJSON.encode(event)] + outcome.contents)
        } catch {
            log.error("The outcome of a fetch could not be published.", [.source: source.rawValue, .error: "\(error)"])
        }
    }
}
