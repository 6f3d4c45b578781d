// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import Foundation
import HTTPTransport
import OriginRules
import SourceFetching
import SourceParsing
import WidgetSchema

/// A step-by-step explanation of how a fetcher and the cache handle an origin's answer.
///
/// The explanation is computed with the code of both services, so that it always agrees with their behaviour.
struct OriginExplanation {
    /// The response headers that influence a fetcher or the cache, in the order in which they are shown.
    private static let tellingHeaders = [
        "Content-Type", "Content-Encoding", "ETag", "Last-Modified", "Cache-Control", "Age", "Expires", "Date",
        "Retry-After", "X-RateLimit-Remaining", "X-RateLimit-Reset", "RateLimit", "RateLimit-Remaining",
        "RateLimit-Reset",
    ]

    private let lease: Lease
    private let result: Result<HTTPResponse, HTTPFailure>
    private let answeredAt: Instant
    /// The intervals of the widget for which the time of the next fetch is computed.
    var intervals = RefreshPolicy.Intervals(
        interval: TidingsConfiguration.Fetching.defaultInterval,
        minimumInterval: TidingsConfiguration.Fetching.defaultMinimumInterval
    )

    init(url: String, parsing: Parsing, result: Result<HTTPResponse, HTTPFailure>, answeredAt: Instant) {
        guard let id = LeaseID(rawValue: "inspect-1"), let source = SourceID(rawValue: "0000000000000000") else {
            preconditionFailure("internal error: the built-in lease id or source id is invalid")
        }
        lease = Lease(
            id: id,
            source: source,
            url: url,
            allowPrivateNetworks: true,
            parsings: [parsing],
            mayFollowPages: true,
            durationMilliseconds: 30_000
        )
        self.result = result
        self.answeredAt = answeredAt
    }

    var isGood: Bool { outcome.failure == nil }

    private var reader: OutcomeReader { OutcomeReader(lease: lease, answeredAt: answeredAt) }
    private var outcome: Fetched { reader.outcome(of: result).data }

    /// Returns the explanation as lines of text, each with its newline.
    func text(_ style: TextStyle) -> String {
        style.rows((answer + judgement).map { (name: $0, value: MessagePrinter.printable($1)) })
    }

    private typealias Row = (name: String, value: String)

    private var answer: [Row] {
        switch result {
        case .failure(let failure): return [("asked", lease.url), ("no answer", failure.message)]
        case .success(let response):
            var rows: [Row] = [("asked", lease.url)]
            for hop in response.hops {
                rows.append(("redirect", "\(hop.status)\(hop.isPermanent ? ", permanent," : "") to \(hop.to)"))
            }
            let version = response.httpVersion
            let fallback = response.failedHTTP2 ? ", because HTTP/2 failed," : ""
            let sender = response.connectedAddress
            rows.append(("status", "\(response.status), by HTTP/\(version)\(fallback) from \(sender)"))
            for name in Self.tellingHeaders {
                rows += response.headers.values(name).map { ("header", "\(name): \($0)") }
            }
            guard response.documentProblem == nil else { return rows }
            rows.append(("body", "\(response.body.count) bytes after decompression"))
            let facts = DocumentDescription(response.body, contentType: response.headers["Content-Type"])
            rows.append(("charset", "\(facts.encoding): \(facts.encodingReason)"))
            rows.append(("format", facts.format))
            return rows
        }
    }

    private var judgement: [Row] {
        let outcome = outcome
        var rows: [Row] = []
        if let announced = reader.announcedFeed(in: result) {
            rows.append(("announces", "\(announced), which is requested instead from now on"))
        }
        if let failure = outcome.failure {
            rows.append(("failed", "\(failure.class.rawValue): \(failure.message)"))
        } else {
            rows.append(("outcome", outcome.result.rawValue))
            let kept = [
                outcome.validators.entityTag.map { _ in "ETag" },
                outcome.validators.lastModified.map { _ in "Last-Modified" },
            ]
            .compactMap { $0 }
            rows.append(
                ("conditions", kept.isEmpty ? "none: no usable ETag or Last-Modified" : kept.joined(separator: " and "))
            )
        }
        if let location = outcome.location { rows.append(("moved", "to \(location), which is requested from now on")) }
        if let host = outcome.answeredBy { rows.append(("answered by", host)) }
        return rows + nextAttempt(outcome)
    }

    /// Returns the rows about the next fetch of the source: its time, its reason, and the pause for the host if there
    /// is one.
    private func nextAttempt(_ outcome: Fetched) -> [Row] {
        let rules = RefreshPolicy()
        let next = rules.nextAttempt(
            after: outcome,
            RefreshPolicy.History(failures: outcome.failure == nil ? 0 : 1, advice: outcome.advice, seed: lease.url),
            intervals,
            now: answeredAt
        )
        var rows: [Row] = []
        let when = next.at.map { "\($0), in \(Self.span($0.milliseconds(since: answeredAt)))" } ?? "not by itself"
        let clamp = next.isClamped ? "; the answer asks for more than the maximum" : ""
        rows.append(("next attempt", "\(when): \(next.reason.words)\(clamp)"))
        if let pause = rules.hostPause(after: outcome) {
            rows.append(("host", "no requests for any source on this host for \(Self.span(pause.wholeMilliseconds))"))
        }
        return rows
    }

    private static func span(_ milliseconds: Int64) -> String {
        let seconds = milliseconds / 1000
        let parts = [(seconds / 3600, "h"), (seconds / 60 % 60, "min"), (seconds % 60, "s")].filter { $0.0 > 0 }
        return parts.isEmpty ? "0 s" : parts.map { "\($0.0) \($0.1)" }.joined(separator: " ")
    }
}

extension HTTPResponse {
    /// Returns a copy of the response with another `Content-Type`.
    func replacing(contentType: String) -> HTTPResponse {
        var response = self
        response.headers.fields.removeAll { $0.name.lowercased() == "content-type" }
        response.headers.fields.append(HTTPHeader("Content-Type", contentType))
        return response
    }
}
