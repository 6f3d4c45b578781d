// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Cryptography
import Foundation
package import HTTPTransport
import OriginRules
package import SourceParsing
package import WidgetSchema

/// A reader that creates an outcome from an origin's answer.
///
/// It interprets the status and the headers as defined in RFC 9110 and RFC 9111. It reads the body once for each
/// parsing of the lease.
package struct OutcomeReader: Sendable {
    package let lease: Lease
    package let answeredAt: Instant
    /// The follow-up request that was answered; nil if the first request was answered.
    private let followUp: FollowUp?
    /// The maximum processor time for all parsings of a body together.
    private let processorTime: Duration
    private let quarantine: BodyQuarantine?
    private let onLimits: (@Sendable (Set<ParsingWork.Limit>) -> Void)?

    package init(
        lease: Lease,
        answeredAt: Instant,
        after followUp: FollowUp? = nil,
        processorTime: Duration = ParsingWork.defaultProcessorTime,
        quarantine: BodyQuarantine? = nil,
        onLimits: (@Sendable (Set<ParsingWork.Limit>) -> Void)? = nil
    ) {
        self.lease = lease
        self.answeredAt = answeredAt
        self.followUp = followUp
        self.processorTime = processorTime
        self.quarantine = quarantine
        self.onLimits = onLimits
    }

    /// Returns the second request that an answer requires; nil if the outcome can be read from the answer.
    ///
    /// There is at most one second request, so its answer never requires another one.
    package func followUp(after result: Result<HTTPResponse, HTTPFailure>) -> FollowUp? {
        guard followUp == nil, case .success(let response) = result else { return nil }
        if FollowUp.mayRejectConditions(response.status), HTTPRequest.conditions(lease.validators) != Validators() {
            return .withoutConditions
        }
        return announcedFeed(in: result).map { .announced($0) }
    }

    private var announced: String? {
        if case .announced(let url) = followUp { url } else { nil }
    }

    /// Returns the address of the first feed that a web page announces; this feed is fetched instead of the page.
    ///
    /// Returns nil if the answer is not a web page, or if the page announces no feed. Also returns nil in these cases:
    ///
    /// - The lease does not allow it.
    /// - A parsing of the lease is of another kind than `feed`.
    /// - A temporary redirect has led to another host.
    /// - The answer itself comes from an announced address.
    package func announcedFeed(in result: Result<HTTPResponse, HTTPFailure>) -> String? {
        guard announced == nil, lease.mayFollowPages == true, wantsFeed, case .success(let response) = result,
            !response.isFromElsewhere
        else { return nil }
        return response.announcedFeed
    }

    private var wantsFeed: Bool { lease.parsings.allSatisfy { $0.kind == .feed } }

    /// Returns the new address of the source; nil if it has not moved.
    ///
    /// The new address is the target of the last permanent redirect before any temporary redirect (RFC 9110, sections
    /// 15.4.2 and 15.4.9). Without such a redirect, it is the address of the feed that a page announced.
    private func location(of response: HTTPResponse) -> String? {
        response.hops.prefix { $0.isPermanent }.last?.to ?? announced
    }

    /// The address of the source in messages, which users of widgets can read.
    private var shownURL: String { ShownURL.text(lease.url) }

    package func outcome(of result: Result<HTTPResponse, HTTPFailure>) -> FetchOutcome {
        switch result {
        case .success(let response):
            var outcome = outcome(of: response)
            if let failure = outcome.data.failure, let kind = lease.parsings.first?.kind {
                let explanation = FailureExplanation(source: lease.url, finalURL: response.finalURL)
                outcome.data.failure?.explanation = explanation.text(of: response, failure.class, kind: kind)
            }
            outcome.data.announced = outcome.data.announced ?? announced
            outcome.data.failedHTTP2 = response.failedHTTP2 ? true : nil
            guard response.finalURL != lease.url else { return outcome }
            let host = OriginHost.name(of: response.finalURL)
            if host != OriginHost.name(of: lease.url) { outcome.data.answeredBy = host }
            return outcome
        case .failure(let failure):
            var outcome = failed(Self.failureClass(of: failure.kind), "\(shownURL): \(failure.message)")
            let explanation = FailureExplanation(source: lease.url, finalURL: failure.url)
            outcome.data.failure?.explanation = explanation.text(of: failure)
            return outcome
        }
    }

    /// Reads the file of a lease and returns the outcome.
    ///
    /// Blocks the calling thread.
    ///
    /// The file must be below `directory`, which is an option of the fetcher and never comes from a lease. If
    /// `directory` is nil, the outcome is a failure.
    package func outcomeOfFile(below directory: String?) -> FetchOutcome {
        guard let path = FileURL.path(of: lease.url), let directory else {
            return failed(
                .permanent,
                "\(shownURL) is not read: this fetcher has no directory of files. Start it with --files DIR or set "
                    + "TIDINGS_FILES"
            )
        }
        do throws(FileSourceFailure) {
            let bytes = try FileSource.read(path, below: directory)
            let response = HTTPResponse(status: 200, headers: HTTPHeaders(), body: bytes, finalURL: lease.url)
            var outcome = content(of: response, FreshnessReader(status: 200, headers: HTTPHeaders(), now: answeredAt))
            if let kind = lease.parsings.first?.kind {
                outcome.data.failure?.explanation = AttemptFailure.unreadable("The file", as: kind)
            }
            return outcome
        } catch {
            var outcome = failed(error.class, "\(shownURL): \(error.message)")
            outcome.data.failure?.explanation = FailureExplanation.text(ofFile: error.message)
            outcome.data.isMissing = error.isMissing ? true : nil
            return outcome
        }
    }

    private func outcome(of response: HTTPResponse) -> FetchOutcome {
        let reader = FreshnessReader(status: response.status, headers: response.headers, now: answeredAt)
        let status = response.status
        switch status {
        case 200...299:
            guard let problem = response.documentProblem else { return content(of: response, reader) }
            // An incomplete transfer is temporary; a server that has nothing to say is asked again as if it had erred.
            return failed(status == 206 ? .transient : .malformed, "\(shownURL) \(problem)", reader)
        case 304:
            guard followUp == nil, HTTPRequest.conditions(lease.validators) != Validators() else {
                return failed(.malformed, "\(shownURL) answered 304 to a request without conditions", reader)
            }
            return FetchOutcome(
                data: Fetched(
                    lease: lease.id,
                    result: .notModified,
                    validators: reader.validators,
                    freshness: reader.freshness,
                    answeredAt: answeredAt
                ),
                contents: []
            )
        case 429: return failed(.rateLimited, "\(shownURL) answered 429: too many requests", reader)
        case 503 where reader.isRateLimited:
            return failed(.rateLimited, "\(shownURL) answered 503 and stated a time to wait", reader)
        case 403 where reader.isRateLimited:
            return failed(.rateLimited, "\(shownURL) answered 403: its rate limit is used up", reader)
        case 410: return failed(.permanent, "\(shownURL) answered 410: it is permanently gone", reader)
        case 408, 425, 500...599: return failed(.transient, "\(shownURL) answered \(status)", reader)
        default: return failed(.permanent, "\(shownURL) answered \(status)", reader)
        }
    }

    private func content(of response: HTTPResponse, _ reader: FreshnessReader) -> FetchOutcome {
        let digest = Self.digest(of: response.body)
        var fetched = Fetched(
            lease: lease.id,
            result: .sameBytes,
            validators: reader.validators,
            location: location(of: response),
            bodyDigest: digest,
            freshness: reader.freshness,
            parserVersion: SourceParser.version,
            answeredAt: answeredAt
        )
        guard digest == nil || digest != lease.bodyDigest else { return FetchOutcome(data: fetched, contents: []) }
        if let reason = digest.flatMap({ quarantine?.reason(for: $0) }) { return failed(.malformed, reason, reader) }
        fetched.result = .content
        let body = response.sourceBody(received: answeredAt)
        let work = ParsingWork(processorTime: processorTime)
        var frames: [Data] = []
        var rejected: [RejectedParsing] = []
        var isRateLimited = false
        for parsing in lease.parsings {
            do {
                let reading = try SourceParser.read(body, parsing: parsing, work: work)
                let frame = try WireJSON.encode(reading.content)
                guard frame.count <= MessageLimits.internalFrame, let digest = Self.digest(of: frame) else {
                    let message =
                        "\(shownURL): its content has \(frame.count) bytes; at most \(MessageLimits.internalFrame) are "
                        + "passed on"
                    rejected.append(RejectedParsing(parsing: parsing.key, message: message))
                    continue
                }
                fetched.contents.append(ContentReference(parsing: parsing.key, digest: digest))
                frames.append(frame)
                if reading.dependsOnReceipt {
                    // The same bytes give other content on another day, so they must be sent and parsed again.
                    fetched.bodyDigest = nil
                    fetched.validators = Validators()
                }
                fetched.advice = fetched.advice ?? PublisherAdvice(reading.hints)
            } catch let error as ParsingError {
                let message = error.text(name: ShownURL.text(body.documentURL))
                rejected.append(RejectedParsing(parsing: parsing.key, message: message))
                isRateLimited = isRateLimited || error.kind == .rateLimited
            } catch {
                rejected.append(RejectedParsing(parsing: parsing.key, message: "\(error)"))
            }
        }
        if !work.limits.isEmpty { onLimits?(work.limits) }
        if work.isExhausted, let last = rejected.last {
            // Less than a tenth of the lease was left for it: the same body may be read at the next attempt.
            let least = Duration.milliseconds(lease.durationMilliseconds) / 10
            guard processorTime >= min(least, quarantine?.minimumTime ?? ParsingWork.defaultProcessorTime) else {
                return failed(.transient, last.message, reader)
            }
            if let digest { quarantine?.insert(digest, of: lease.source, reason: last.message) }
        }
        // Keep the contents that widgets can use, even if another parsing of the source was rejected.
        if let first = rejected.first, fetched.contents.isEmpty {
            if !isRateLimited, response.isPage { return failedPage(response, reader) }
            // Some servers report with status 200 that there were too many requests.
            return failed(isRateLimited ? .rateLimited : .malformed, first.message, reader)
        }
        fetched.rejected = rejected.isEmpty ? nil : rejected
        return FetchOutcome(data: fetched, contents: frames)
    }

    /// Returns the failure for a web page in place of a document.
    private func failedPage(_ response: HTTPResponse, _ reader: FreshnessReader) -> FetchOutcome {
        var message = shownURL
        if let announced { message += " announces the feed \(ShownURL.text(announced)), which" }
        message += " answered with a web page in place of a \(wantsFeed ? "feed" : "document")"
        let host = OriginHost.name(of: response.finalURL)
        if host != OriginHost.name(of: announced ?? lease.url) { message += ", after a redirect to \(host)" }
        let other = wantsFeed && announced == nil ? response.announcedFeed : nil
        if let other {
            message += "; if the feed that the page announces is the right one, configure \(ShownURL.text(other))"
        }
        var outcome = failed(.malformed, message, reader)
        outcome.data.announced = other
        return outcome
    }

    private func failed(
        _ failureClass: AttemptFailure.Class,
        _ message: String,
        _ reader: FreshnessReader? = nil
    ) -> FetchOutcome {
        FetchOutcome(
            data: Fetched(
                lease: lease.id,
                result: .failed,
                failure: AttemptFailure(class: failureClass, message: message, status: reader?.status),
                freshness: reader?.freshness ?? Freshness(),
                answeredAt: answeredAt
            ),
            contents: []
        )
    }

    private static func failureClass(of kind: HTTPFailure.Kind) -> AttemptFailure.Class {
        switch kind {
        case .cancelled, .timedOut, .connectionFailed, .nameNotResolved, .tls, .tooSlow, .protocolError: .transient
        case .badContentCoding: .malformed
        case .refusedAddress, .refusedScheme, .tooManyRedirects, .bodyTooLarge, .bodyTooDense, .headersTooLarge,
            .badURL:
            .permanent
        }
    }

    private static func digest(of bytes: Data) -> ContentDigest? {
        ContentDigest(rawValue: SHA256.hexDigest(of: bytes))
    }
}

extension PublisherAdvice {
    /// Creates the publisher's advice from the hints of a document; nil if there are no hints.
    fileprivate init?(_ hints: FeedHints) {
        guard !hints.isEmpty else { return nil }
        self.init(
            timeToLiveSeconds: hints.timeToLiveSeconds,
            updateIntervalSeconds: hints.updateIntervalSeconds,
            skippedHours: hints.skippedHours.sorted(),
            skippedDays: hints.skippedDays.sorted()
        )
    }
}
