// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import AccessTokens
import WebServer

/// One operation of the HTTP interface.
///
/// The router uses the route to handle requests. The OpenAPI description is generated from the same route, so it cannot
/// differ from the router.
struct Route: Sendable {
    enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
        case delete = "DELETE"
    }

    /// The path, such as `/v1/widgets/{widget}`; a part in braces is a parameter.
    let path: String
    var method = Method.get
    /// The scope that a caller needs; nil if everyone may use the route.
    var scope: AccessScope? = .read
    /// The name of the operation.
    let id: String
    let summary: String
    var parameters: [Operation.Parameter] = []
    /// The media type of the request's body; nil if the request has no body.
    ///
    /// `schema` is the name of the body's schema in `OpenAPI/schemas.json`.
    var body: (mediaType: String, schema: String)?
    /// Further media types that the request's body may have.
    var otherBodies: [(mediaType: String, schema: String)] = []
    /// The maximum size of the body in bytes, if it is not the maximum of the server.
    var maximumBodyBytes: Int?
    let responses: [Operation.Response]
    let handle: @Sendable (Call) throws(Problem) -> WebAnswer

    /// The maximum size of a request's body in bytes: 0 if the operation has no body, and nil for the maximum of the server.
    var bodyLimit: Int? { maximumBodyBytes ?? (body == nil ? 0 : nil) }

    /// A segment of a route's path: the text between two slashes, or after the last slash.
    enum Segment: Hashable, Sendable {
        case text(String)
        /// The name of a parameter, and the literal text between the closing brace and the end of the segment.
        ///
        /// For example, the segment `{display}.png` has the name `display` and the suffix `.png`. The suffix may be
        /// empty.
        case parameter(String, suffix: String)
    }

    var segments: [Segment] {
        path.split(separator: "/").map { part in
            guard part.hasPrefix("{"), let end = part.firstIndex(of: "}") else { return .text(String(part)) }
            return .parameter(String(part.dropFirst()[..<end]), suffix: String(part[part.index(after: end)...]))
        }
    }

    /// Returns the values of a path's parameters by their names; nil if the path does not match the route.
    ///
    /// `segments` are the segments of the route's path. `parts` are the texts between the slashes of the requested
    /// path.
    static func match(_ segments: [Segment], _ parts: [Substring]) -> [String: String]? {
        guard segments.count == parts.count else { return nil }
        var parameters: [String: String] = [:]
        for (segment, part) in zip(segments, parts) {
            switch segment {
            case .text(let text):
                guard part == text else { return nil }
            case .parameter(let name, let suffix):
                guard part.hasSuffix(suffix), part.utf8.count > suffix.utf8.count else { return nil }
                parameters[name] = String(part.dropLast(suffix.count))
            }
        }
        return parameters
    }
}
