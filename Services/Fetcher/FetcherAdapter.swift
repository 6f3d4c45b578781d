// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import HTTPTransport
import MessageBus
import ServiceEngine
import ServiceRuntime
import SourceFetching
import SourceParsing
import Telemetry
import WidgetSchema

/// Translates between the bus, the origins and a fetcher's core.
final class FetcherAdapter: ServiceAdapter {
    typealias Core = FetcherCore

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
    let setup = FetcherSetup(parserVersion: SourceParser.version, origin: .now)
    private let fileDirectory: String?
    private let parsers = ParserThreads(count: ProcessInfo.processInfo.activeProcessorCount)
    private let nonce = BusConfiguration.makeNonce()
    private var asks: [RequestID: AskNumber] = [:]
    /// The HTTP transfers in flight.
    private var transfers: [LeaseID: TransferID] = [:]
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
    }

    func finish() { parsers.stop() }

    func refuse(_ input: FetcherInput) {}

    // MARK: In

    func input(_ input: BusInput) -> FetcherInput? {
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
            transfers[read.lease.id] = nil
            switch read.finding {
            case .announces(let feed): return .announced(read.lease.id, feed: feed)
            case .outcome(let outcome): return .fetched(read.lease.id, outcome)
            }
        default:
            return nil
        }
    }

    // MARK: Out

    func perform(_ effect: FetcherEffect, reading reader: Void) {
        switch effect {
        case .ask(let number, let request):
            let deadline = Duration.milliseconds(setup.limits.requestDeadline)
            asks[bus.request(RequestTarget(.cache), request, deadline: deadline)] = number
        case .fetch(let lease, let announced, let end): fetch(lease, announced: announced, by: end)
        case .abort(let lease): if let transfer = transfers.removeValue(forKey: lease) { http.cancel(transfer) }
        case .publish(let source, let outcome): publish(outcome, of: source)
        case .count(let counter): metrics.counter(counter.rawValue).increment()
        }
    }

    /// Asks the leased address, or the feed that it has announced; the answer is read on a thread of the parsers, so
    /// that a large one holds up neither this thread nor the transfers'.
    private func fetch(_ lease: Lease, announced: String?, by end: Int64) {
        let (bus, parsers, fileDirectory) = (bus, parsers, fileDirectory)
        guard FileSource.path(of: lease.url) == nil else {
            parsers.run {
                let reader = OutcomeReader(lease: lease, answeredAt: .now)
                bus.post(Read(lease: lease, finding: .outcome(reader.outcomeOfFile(below: fileDirectory))))
            }
            return
        }
        // A slow origin is a failure that is told, not a lease that runs out.
        let left = Duration.milliseconds(max(1, end - setup.milliseconds(at: .now)))
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
            log.error("An outcome could not be published.", [.source: source.rawValue, .error: "\(error)"])
        }
    }
}
