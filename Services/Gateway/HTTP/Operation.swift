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

        static func query(_ name: String, _ schema: Schema, _ summary: String) -> Parameter {
            Parameter(name: name, place: .query, summary: summary, schema: schema)
        }

        static func header(_ name: String, _ schema: Schema, _ summary: String) -> Parameter {
            Parameter(name: name, place: .header, summary: summary, schema: schema)
        }
    }

    /// The schema of a parameter.
    enum Schema: Sendable {
        case string(pattern: String? = nil)
        case choice([String])
        case integer(ClosedRange<Int>)
        /// A comma-separated list of values, each of which matches `pattern`.
        case list(pattern: String)

        static func choice<Value: CaseIterable & RawRepresentable<String>>(of type: Value.Type) -> Schema {
            .choice(Value.allCases.map(\.rawValue))
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

        /// Returns the description of a successful response with a body.
        static func ok(
            _ summary: String,
            _ mediaType: String = "application/json",
            schema: String? = nil
        ) -> Response {
            Response(status: 200, summary: summary, content: [(mediaType, schema)])
        }

        /// Returns the description of a response with problem details.
        static func problem(_ status: Int, _ summary: String) -> Response {
            Response(status: status, summary: summary, content: [("application/problem+json", "Problem")])
        }
    }
}
