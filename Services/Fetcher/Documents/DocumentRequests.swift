// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import Foundation
import HTTPTransport
import Locking
import MessageBus
import OriginRules
import ServiceRuntime
import SourceParsing
import Telemetry
import WidgetSchema

/// Answers the requests of other services to read documents: ``InspectRequest`` and ``ReadRequest``.
///
/// The documents are read in child processes (see ``DocumentReader``), and inspections have an HTTP client of their
/// own. So neither a document that takes long nor one that ends its process disturbs a lease. May be used from any
/// thread.
final class DocumentRequests: Sendable {
    /// The maximum number of documents that wait to be read; further requests are refused.
    private static let maximumWaiting = 64

    private struct Document: Sendable {
        let task: ReadingTask
        let bytes: Data
        /// The time after which nobody waits for the answer.
        let deadline: ContinuousClock.Instant
    }

    private let bus: BusClient
    private let http: HTTPClient
    private let log: Logger
    private let refused: Counter
    private let ended: Counter
    private let allowPrivateNetworks: Bool
    private let requests = Lock(PendingDocuments())
    private let inspections = DocumentReader(named: "inspect", maximumWaiting: PendingDocuments.maximumInspections)
    private let pushes = DocumentReader(named: "read", maximumWaiting: maximumWaiting)

    /// `http` must not contact addresses that only leases may reach.
    init(_ context: ServiceContext, bus: BusClient, http: HTTPClient) {
        self.bus = bus
        self.http = http
        log = context.log
        refused = context.metrics.limit("fetcher.documentRequests")
        ended = context.metrics.counter("fetcher.endedReaders")
        allowPrivateNetworks = context.settings.fetching.allowPrivateNetworks
    }

    func stop() {
        inspections.stop()
        pushes.stop()
    }

    /// Answers a request; returns false if it is not one of these two.
    func handle(_ request: IncomingRequest, named name: String) throws(WireError) -> Bool {
        switch name {
        case InspectRequest.name: inspect(try request.decode(InspectRequest.self), request)
        case ReadRequest.name: read(try request.decode(ReadRequest.self), request)
        default: return false
        }
        return true
    }

    private func inspect(_ asked: Request<InspectRequest>, _ request: IncomingRequest) {
        switch requests.withLock({ $0.begin(request, host: OriginHost.name(of: asked.body.url)) }) {
        case .begun: break
        case .running: return
        case .answered(let json): return bus.reply(to: request, json: json)
        case .refused:
            let maximum = PendingDocuments.maximumInspections
            return refuse(request, "At most \(maximum) addresses are inspected at once, and one of a host")
        }
        let deadline = Duration.milliseconds(asked.deadlineMilliseconds)
        var transfer = HTTPRequest(
            url: asked.body.url,
            headers: [HTTPHeader("Accept", SourceParser.accept)],
            allowPrivateNetworks: asked.body.allowPrivateNetworks && mayReachPrivateNetworks(request.requester)
        )
        // Libcurl takes a deadline of 0 for none.
        transfer.limits.totalDeadline = min(transfer.limits.totalDeadline, max(.milliseconds(1), deadline))
        http.start(transfer) { [self] result in
            switch result {
            case .failure(let failure):
                let problem = InspectAnswer.Problem(.noAnswer, "\(failure.url): \(failure.message)")
                finish(request) { try WireJSON.encode(Answer.result(InspectAnswer(problem: problem))) }
            case .success(let response):
                let task = ReadingTask(inspecting: response, as: asked.body.kind, received: .now)
                let end = request.receivedAt + deadline
                read(Document(task: task, bytes: response.body, deadline: end), by: inspections, request)
            }
        }
    }

    /// Returns whether an inspection of a requester may reach private networks.
    ///
    /// Only a gateway has checked that an administrator asks, and this fetcher's configuration must allow it, too: the
    /// request alone proves nothing.
    private func mayReachPrivateNetworks(_ requester: Requester) -> Bool {
        guard allowPrivateNetworks, case .instance(let target) = requester else { return false }
        return target.service == .gateway
    }

    private func read(_ asked: Request<ReadRequest>, _ request: IncomingRequest) {
        let document = asked.body.text.map { Data($0.utf8) } ?? asked.body.base64.flatMap { Data(base64Encoded: $0) }
        guard let document else {
            let error = RequestError(.malformed, "The request needs 'text', or 'base64' in Base64.")
            return bus.reply(to: request, error: error)
        }
        guard case .begun = requests.withLock({ $0.begin(request) }) else { return }
        let task = ReadingTask(asked.body, received: .now)
        let end = request.receivedAt + .milliseconds(asked.deadlineMilliseconds)
        read(Document(task: task, bytes: document, deadline: end), by: pushes, request)
    }

    private func read(_ document: Document, by reader: DocumentReader, _ request: IncomingRequest) {
        let isAccepted = reader.submit { [self] reader in
            guard document.deadline > .now else { return forget(request) }
            finish(request) {
                let task = document.task
                if let answer = try reader.answer(task, document.bytes) { return answer }
                ended.increment()
                log.warning(
                    "A document ended the process that read it.",
                    [.address: OriginHost.name(of: task.url), .bytes: document.bytes.count]
                )
                return try task.answerWithoutReading()
            }
        }
        if !isAccepted {
            forget(request)
            refuse(request, "At most \(Self.maximumWaiting) documents wait to be read")
        }
    }

    private func finish(_ request: IncomingRequest, _ makeAnswer: () throws -> Data) {
        do {
            let json = try makeAnswer()
            let last = requests.withLock { $0.end(request, json) }
            bus.reply(to: last ?? request, json: json)
        } catch {
            let last = requests.withLock { $0.end(request, nil) }
            bus.reply(to: last ?? request, error: RequestError(.failed, "The document cannot be read now: \(error)."))
        }
    }

    private func forget(_ request: IncomingRequest) { _ = requests.withLock { $0.end(request, nil) } }

    private func refuse(_ request: IncomingRequest, _ rule: String) {
        refused.increment()
        bus.reply(to: request, error: RequestError(.failed, "\(rule); repeat the request in a few seconds."))
    }
}
