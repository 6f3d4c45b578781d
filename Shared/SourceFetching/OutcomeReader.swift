// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Digests
import Foundation
import HTTPTransport
import SourceParsing
import WidgetSchema

/// Makes an outcome of what an origin answered: status and headers by RFC 9110 and 9111, the body by its parsings.
struct OutcomeReader: Sendable {
    let lease: Lease
    let answeredAt: Instant
    /// The feed that the leased address, a web page, has announced, and that was asked instead.
    var announced: String?

    /// The feed to ask instead, where the answer is a web page that announces one.
    func announcedFeed(in result: Result<HTTPResponse, HTTPFailure>) -> String? {
        guard announced == nil, lease.parsings.allSatisfy({ $0.kind == .feed }), case .success(let response) = result,
            response.status == 200, Self.isPage(response)
        else { return nil }
        return FeedLinks.find(in: response.body, documentURL: response.finalURL).first
    }

    private static func isPage(_ response: HTTPResponse) -> Bool {
        let type = response.headers["Content-Type"]?.lowercased() ?? ""
        return type.hasPrefix("text/html") || type.hasPrefix("application/xhtml+xml")
    }

    /// Where permanent redirects lead, as far as none in between is temporary (RFC 9110, sections 15.4.2 and 15.4.9).
    private func location(of response: HTTPResponse) -> String? {
        response.hops.prefix { $0.isPermanent }.last?.to ?? announced
    }

    func outcome(of result: Result<HTTPResponse, HTTPFailure>) -> FetchOutcome {
        switch result {
        case .success(let response): outcome(of: response)
        case .failure(let failure):
            failed(Self.failureClass(of: failure.kind), "\(lease.url): \(failure.message)")
        }
    }

    private func outcome(of response: HTTPResponse) -> FetchOutcome {
        let freshness = FreshnessReader(headers: response.headers, now: answeredAt).freshness
        switch response.status {
        case 200: return content(of: response, freshness)
        case 304:
            guard lease.validators != Validators() else {
                return failed(.malformed, "\(lease.url) answered 304 to a request without conditions", 304, freshness)
            }
            return FetchOutcome(
                data: Fetched(
                    lease: lease.id,
                    result: .notModified,
                    validators: Self.validators(of: response),
                    freshness: freshness,
                    answeredAt: answeredAt
                ),
                contents: []
            )
        case 429:
            return failed(.rateLimited, "\(lease.url) answered 429: too many requests", 429, freshness)
        case 503 where freshness.retryAfterSeconds != nil:
            return failed(.rateLimited, "\(lease.url) answered 503 with Retry-After", 503, freshness)
        case 408, 425, 500...599:
            return failed(.transient, "\(lease.url) answered \(response.status)", response.status, freshness)
        default:
            return failed(.permanent, "\(lease.url) answered \(response.status)", response.status, freshness)
        }
    }

    private func content(of response: HTTPResponse, _ freshness: Freshness) -> FetchOutcome {
        let digest = Self.digest(of: response.body)
        var fetched = Fetched(
            lease: lease.id,
            result: .sameBytes,
            validators: Self.validators(of: response),
            location: location(of: response),
            bodyDigest: digest,
            freshness: freshness,
            answeredAt: answeredAt
        )
        guard digest == nil || digest != lease.bodyDigest else { return FetchOutcome(data: fetched, contents: []) }
        fetched.result = .content
        var frames: [Data] = []
        for parsing in lease.parsings {
            do {
                let content = try SourceParser.parse(
                    response.body,
                    parsing: parsing,
                    contentType: response.headers["Content-Type"],
                    documentURL: response.finalURL
                )
                let frame = try WireJSON.encode(content)
                guard frame.count <= MessageLimits.internalFrame, let digest = Self.digest(of: frame) else {
                    return failed(
                        .malformed,
                        "\(lease.url): its content has \(frame.count) bytes; at most \(MessageLimits.internalFrame) "
                            + "are passed on",
                        200,
                        freshness
                    )
                }
                fetched.contents.append(ContentReference(parsing: parsing.key, digest: digest))
                frames.append(frame)
            } catch {
                return failed(.malformed, "\(error)", 200, freshness)
            }
        }
        return FetchOutcome(data: fetched, contents: frames)
    }

    private func failed(
        _ failureClass: AttemptFailure.Class,
        _ message: String,
        _ status: Int? = nil,
        _ freshness: Freshness = Freshness()
    ) -> FetchOutcome {
        FetchOutcome(
            data: Fetched(
                lease: lease.id,
                result: .failed,
                failure: AttemptFailure(class: failureClass, message: message, status: status),
                freshness: freshness,
                answeredAt: answeredAt
            ),
            contents: []
        )
    }

    private static func failureClass(of kind: HTTPFailure.Kind) -> AttemptFailure.Class {
        switch kind {
        case .cancelled, .timedOut, .connectionFailed, .nameNotResolved, .tls, .tooSlow, .protocolError: .transient
        case .refusedAddress, .refusedScheme, .tooManyRedirects, .bodyTooLarge, .headersTooLarge, .badURL: .permanent
        }
    }

    private static func validators(of response: HTTPResponse) -> Validators {
        Validators(entityTag: response.headers["ETag"], lastModified: response.headers["Last-Modified"])
    }

    private static func digest(of bytes: Data) -> ContentDigest? {
        ContentDigest(rawValue: SHA256.hexDigest(of: bytes))
    }
}
