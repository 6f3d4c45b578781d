// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The parts of the description of an operation (OpenAPI 3.1).
enum Operation {
    struct Parameter: Sendable {
        enum Place: String, Sendable {
            case path
            case query
            case header
        }

        var name: String
        var place: Place
        var summary: String
        var schema: Schema
        var isRequired = false

        static func query(_ name: String, _ schema: Schema, _ summary: String) -> Parameter {
            Parameter(name: name, place: .query, summary: summary, schema: schema)
        }

        static func header(
            _ name: String,
            _ schema: Schema,
            _ summary: String,
            isRequired: Bool = false
        ) -> Parameter {
            Parameter(name: name, place: .header, summary: summary, schema: schema, isRequired: isRequired)
        }
    }

    /// The schema of a parameter or a header.
    enum Schema: Sendable {
        case string(pattern: String? = nil)
        case choice([String])
        case integer(ClosedRange<Int>)
        /// A comma-separated list of values, each of which matches `pattern`.
        case list(pattern: String)
        /// The schema with this name in `OpenAPI/schemas.json`.
        case named(String)

        static func choice<Value: CaseIterable & RawRepresentable<String>>(of type: Value.Type) -> Schema {
            .choice(Value.allCases.map(\.rawValue))
        }
    }

    /// A header of responses.
    enum Header: String, CaseIterable, Sendable {
        case cacheControl = "Cache-Control"
        case contentLocation = "Content-Location"
        case entityTag = "ETag"
        case lastModified = "Last-Modified"
        case link = "Link"
        case location = "Location"
        case nextCertainChange = "Tidings-Next-Certain-Change"
        case nextChange = "Tidings-Next-Change"
        case preferenceApplied = "Preference-Applied"
        case retryAfter = "Retry-After"
        case sequence = "Tidings-Sequence"
        case sleep = "Tidings-Sleep"

        var summary: String {
            switch self {
            case .cacheControl: "The rules for caches (RFC 9111)."
            case .contentLocation: "The address at which these bytes never change."
            case .entityTag: "The entity tag, for `If-None-Match`; absent in the JSON document of a board."
            case .lastModified: "The time of the last visible change, for `If-Modified-Since`; absent if it is unknown."
            case .link: "The address of the next page, with `rel=\"next\"`; absent on the last page."
            case .location: "The address of the widget, or of the explanation of the cycle."
            case .nextCertainChange: "The next time at which the picture may change without new content."
            case .nextChange:
                "The earliest time at which the picture may change: the next fetch, or the next certain change."
            case .preferenceApplied: "The part of `Prefer` that the gateway honoured: `wait=N`."
            case .retryAfter: "The seconds after which to repeat the request; absent if that would not help."
            case .sequence: "The sequence number of the cycle that is shown; absent for a placeholder."
            case .sleep: "The seconds until the panel in `panel` should ask again; only for a PNG."
            }
        }

        var schema: Schema {
            switch self {
            case .nextChange, .nextCertainChange: .named("Instant")
            case .sequence: .named("SequenceNumber")
            // Each client can read a 32-bit integer.
            case .retryAfter, .sleep: .integer(0...Int(Int32.max))
            default: .string()
            }
        }
    }

    struct Response: Sendable {
        var status: Int
        var summary: String
        /// The media types that the response's body may have; empty if the response has no body.
        ///
        /// `schema` is the name of the body's schema in `OpenAPI/schemas.json`; nil if the OpenAPI description has no
        /// schema for this media type, for example because the body is a picture.
        var content: [(mediaType: String, schema: String?)] = []
        /// The headers that the response may have.
        var headers: [Header] = [.cacheControl]

        /// Returns the description of a successful response with a body.
        static func ok(
            _ summary: String,
            _ mediaType: String = "application/json",
            schema: String? = nil,
            headers: [Header] = [.cacheControl]
        ) -> Response {
            Response(status: 200, summary: summary, content: [(mediaType, schema)], headers: headers)
        }

        /// Returns the description of a response with problem details.
        static func problem(_ status: Int, _ summary: String) -> Response {
            Response(
                status: status,
                summary: summary,
                content: [("application/problem+json", "Problem")],
                headers: [429, 503, 504].contains(status) ? [.cacheControl, .retryAfter] : [.cacheControl]
            )
        }
    }
}
