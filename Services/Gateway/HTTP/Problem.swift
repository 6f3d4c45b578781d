// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WebServer
import WidgetSchema

/// The reason why an HTTP request to the gateway failed; sent to the client as problem details (RFC 9457).
struct Problem: Error, Sendable {
    var status: Int
    /// A short sentence that is the same for all problems with this `type`.
    var title: String
    /// A description of this occurrence, with advice on what to do.
    var detail: String
    /// The last part of the URI that names the kind of problem; the part before it is ``typePrefix``.
    var type: String
    var headers: [WebHeader]

    init(_ status: Int, _ type: String, _ title: String, _ detail: String, headers: [WebHeader] = []) {
        self.status = status
        self.type = type
        self.title = title
        self.detail = detail
        self.headers = headers
    }

    /// The JSON document that describes a problem to clients.
    struct Document: Codable, Hashable, Sendable {
        var type: String
        var title: String
        var status: Int
        var detail: String
        var instance: String
    }

    /// The prefix of the type URIs.
    static let typePrefix = "urn:tidings:problem:"
    /// The type of the problem that a service did not accept the form of a request.
    static let notUnderstood = "not-understood"
    static let mediaType = "application/problem+json"

    func response(instance: String) -> WebResponse {
        let document = Document(
            type: Self.typePrefix + type,
            title: title,
            status: status,
            detail: detail,
            instance: instance
        )
        let body = (try? WireJSON.encode(document)) ?? Data()
        let fixed = [WebHeader("Content-Type", Self.mediaType), WebHeader("Cache-Control", "no-store")]
        return WebResponse(status: status, headers: fixed + headers, body: body)
    }

    /// Returns the problem of a gateway that does not know the widgets yet; `remedy` is what the client should do.
    static func starting(_ remedy: String) -> Problem {
        Problem(
            503,
            "starting",
            "The gateway is starting.",
            "The state of the widgets is not known yet; \(remedy) in a second.",
            headers: [WebHeader("Retry-After", "1")]
        )
    }

    static func notFound(_ detail: String) -> Problem { Problem(404, "not-found", "Not found.", detail) }

    static func badParameter(_ name: String, _ detail: String) -> Problem {
        Problem(400, "bad-parameter", "A parameter is invalid.", "'\(name)': \(detail)")
    }

    static func badBody(_ detail: String) -> Problem {
        Problem(400, "bad-body", "The body cannot be understood.", detail)
    }

    /// Creates the problem for a request that the web server refused by itself.
    init(_ refusal: WebRefusal) {
        let (type, title) =
            switch refusal {
            case .malformed: ("bad-request", "The request cannot be read.")
            case .tooManyParameters: ("too-many-parameters", "The query has too many parameters.")
            case .unsupportedCoding: ("unsupported-coding", "The coding of the body is not supported.")
            case .bodyTooLarge: ("body-too-large", "The body is too large.")
            case .tooManyBodiesOfClient, .tooManyBodies: ("too-many-bodies", "Too many bodies are being sent.")
            case .stopping: ("stopping", "The gateway stops.")
            }
        self.init(refusal.status, type, title, refusal.detail, headers: refusal.headers)
    }

    /// Creates the problem for an error answer of a service on the bus.
    init(_ error: RequestError) {
        let retry = [WebHeader("Retry-After", "1")]
        switch error.code {
        case .notFound: self = .notFound(error.message)
        case .refused:
            self.init(409, "refused", "The request is well-formed, but a service rejected it.", error.message)
        case .reused:
            self.init(
                422,
                "key-reused",
                "The Idempotency-Key was used for another body.",
                "Use a new key for new content."
            )
        case .malformed, .unknownRequest:
            self.init(502, Self.notUnderstood, "A service did not understand the gateway's request.", error.message)
        case .unavailable, .failed:
            self.init(503, "unavailable", "A service cannot answer now.", error.message, headers: retry)
        case .timedOut: self.init(504, "timeout", "A service did not answer in time.", error.message, headers: retry)
        }
    }
}
