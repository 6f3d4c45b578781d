// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import AccessTokens
import Foundation
import ServiceRuntime
import WidgetSchema

/// The OpenAPI 3.1 description of the gateway's HTTP interface, generated from the routes.
enum OpenAPIDocument {
    /// A JSON value.
    private indirect enum Value: Encodable, ExpressibleByStringInterpolation, ExpressibleByArrayLiteral,
        ExpressibleByDictionaryLiteral
    {
        case text(String)
        case integer(Int)
        case flag(Bool)
        case list([Value])
        case object([String: Value])

        init(stringLiteral value: String) { self = .text(value) }
        init(arrayLiteral elements: Value...) { self = .list(elements) }
        init(dictionaryLiteral elements: (String, Value)...) { self = .object(Dictionary(elements) { $1 }) }

        func encode(to encoder: any Encoder) throws {
            switch self {
            case .text(let value): try value.encode(to: encoder)
            case .integer(let value): try value.encode(to: encoder)
            case .flag(let value): try value.encode(to: encoder)
            case .list(let value): try value.encode(to: encoder)
            case .object(let value): try value.encode(to: encoder)
            }
        }
    }

    /// Returns the OpenAPI description of `routes` as JSON; `basePath` is the prefix of all paths, or empty.
    static func json(_ routes: [Route], basePath: String) -> Data {
        var paths: [String: [String: Value]] = [:]
        for route in routes { paths[route.path, default: [:]][route.method.rawValue.lowercased()] = operation(route) }
        let securitySchemes: Value = [
            "bearer": [
                "type": "http", "scheme": "bearer",
                "description": "Created by 'tidings token new'. Reads over loopback need no token.",
            ],
            "session": [
                "type": "apiKey", "in": "cookie", "name": .text(SessionCookie.name),
                "description": .text(
                    "Set by 'POST /v1/session' for browsers; allows reading only. " + SessionCookie.nameRule
                ),
            ],
        ]
        let rest: Value = [
            "openapi": "3.1.0",
            "info": [
                "title": "Tidings gateway",
                "version": .text(TidingsVersion.current),
                "description": .text(
                    "Pictures, layouts, commands and live events of glanceable widgets. Within /v1, fields and "
                        + "operations are only added."
                ),
                "license": ["name": "MIT", "identifier": "MIT"],
            ],
            "servers": [["url": basePath.isEmpty ? "/" : .text(basePath)]],
            "paths": .object(paths.mapValues(Value.object)),
        ]
        guard let headers = try? WireJSON.encode(Self.headers), let security = try? WireJSON.encode(securitySchemes),
            let rest = try? WireJSON.encode(rest)
        else { return Data() }
        // The schemas are JSON already.
        var document = Data(#"{"components":{"schemas":"#.utf8) + Data(PackageResources.schemas_json)
        document += Data(#","headers":"#.utf8) + headers
        document += Data(#","securitySchemes":"#.utf8) + security
        return document + Data("},".utf8) + rest.dropFirst()
    }

    /// The descriptions of all headers of responses, by the names of the headers.
    private static var headers: Value {
        var headers: [String: Value] = [:]
        for header in Operation.Header.allCases {
            headers[header.rawValue] = ["description": .text(header.summary), "schema": schema(header.schema)]
        }
        return .object(headers)
    }

    private static func operation(_ route: Route) -> Value {
        var responses: [String: Value] = [:]
        let described = problems(route) + route.responses
        for var response in described {
            // The last description of a status replaces the others, but the response may have the headers of each.
            response.headers = described.filter { $0.status == response.status }.flatMap(\.headers)
            responses["\(response.status)"] = Self.response(response)
        }
        let parameters = route.segments.compactMap(parameter) + route.parameters.map(parameter)
        var operation: [String: Value] = [
            "operationId": .text(route.id),
            "summary": .text(route.summary),
            "responses": .object(responses),
        ]
        if !parameters.isEmpty { operation["parameters"] = .list(parameters) }
        if let body = route.body {
            var content: [String: Value] = [:]
            for (mediaType, schema) in [body] + route.otherBodies { content[mediaType] = reference(schema) }
            operation["requestBody"] = ["required": .flag(true), "content": .object(content)]
        }
        if let scope = route.scope {
            operation["security"] = scope == .read ? [["bearer": []], ["session": []], [:]] : [["bearer": []]]
        }
        return .object(operation)
    }

    private static func reference(_ schema: String) -> Value {
        ["schema": ["$ref": "#/components/schemas/\(schema)"]]
    }

    /// Returns the descriptions of the error responses that a route may send.
    private static func problems(_ route: Route) -> [Operation.Response] {
        // The web server's library answers some requests that it cannot read with a status and a text.
        var responses: [Operation.Response] = [
            .problem(400, "The request, a parameter or the body is invalid."),
            .problem(413, "The body is too large."),
            .problem(414, "The address is too long, or the query has too many parameters."),
            .problem(421, "The requested host is not a name of this gateway. Add it to `gateway.hosts`."),
            .problem(429, "Too many requests, or too many bodies at once."),
            Operation.Response(status: 431, summary: "The headers are too large.", headers: []),
            .problem(501, "The coding of the body is not supported."),
            .problem(503, "The gateway stops, too many bodies are being sent, or a service cannot answer now."),
        ]
        if route.path.contains("{") { responses.append(.problem(404, "The resource does not exist.")) }
        if route.scope != nil {
            responses += [
                .problem(401, "The request needs a valid token."),
                .problem(403, "The token does not allow this request."),
                .problem(502, "A service did not understand the gateway's request."),
                .problem(504, "A service did not answer in time."),
            ]
        }
        if route.method != .get {
            responses.append(.problem(409, "The request is well-formed, but a service rejected it."))
            if route.scope == nil { responses.append(.problem(403, "A page of another site sent the request.")) }
        }
        return responses
    }

    private static func response(_ response: Operation.Response) -> Value {
        var result: [String: Value] = ["description": .text(response.summary)]
        var content: [String: Value] = [:]
        for (mediaType, schema) in response.content { content[mediaType] = schema.map(reference) ?? [:] }
        if !content.isEmpty { result["content"] = .object(content) }
        var headers: [String: Value] = [:]
        for header in response.headers {
            headers[header.rawValue] = ["$ref": .text("#/components/headers/\(header.rawValue)")]
        }
        if !headers.isEmpty { result["headers"] = .object(headers) }
        return .object(result)
    }

    /// Returns the description of a path parameter; nil if the segment is literal text.
    private static func parameter(_ segment: Route.Segment) -> Value? {
        guard case .parameter(let name, _) = segment else { return nil }
        let pattern =
            switch name {
            case "widget", "display": "^[a-z0-9][a-z0-9-]{0,62}$"
            case "file": "^[a-z0-9][a-z0-9-]{0,62}\\.(png|svg|json)$"
            case "size": "^[0-9]{1,4}x[0-9]{1,4}$"
            default: "^[a-z0-9-]{1,200}$"
            }
        return ["name": .text(name), "in": "path", "required": .flag(true), "schema": text(pattern)]
    }

    /// Returns the schema of a text, which matches `pattern` if that is not nil.
    private static func text(_ pattern: String?) -> Value {
        pattern.map { ["type": "string", "pattern": .text($0)] } ?? ["type": "string"]
    }

    private static func parameter(_ parameter: Operation.Parameter) -> Value {
        var result: [String: Value] = [
            "name": .text(parameter.name), "in": .text(parameter.place.rawValue),
            "description": .text(parameter.summary), "schema": schema(parameter.schema),
        ]
        if parameter.isRequired { result["required"] = .flag(true) }
        if case .list = parameter.schema {
            result["style"] = "form"
            result["explode"] = .flag(false)
        }
        return .object(result)
    }

    private static func schema(_ schema: Operation.Schema) -> Value {
        switch schema {
        case .string(let pattern): text(pattern)
        case .choice(let values): ["type": "string", "enum": .list(values.map(Value.text))]
        case .integer(let range):
            ["type": "integer", "minimum": .integer(range.lowerBound), "maximum": .integer(range.upperBound)]
        case .list(let pattern): ["type": "array", "minItems": .integer(1), "items": text(pattern)]
        case .named(let name): ["$ref": .text("#/components/schemas/\(name)")]
        }
    }
}
