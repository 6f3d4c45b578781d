// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import AccessTokens
import CommandOptions
import Foundation
import ServiceRuntime
import WebServer

/// The OpenAPI 3.1 description of the gateway's HTTP interface, generated from the routes.
enum OpenAPIDocument {
    /// Returns the OpenAPI description of `routes` as JSON; `basePath` is the prefix of all paths, or empty.
    static func json(_ routes: [Route], basePath: String) -> Data {
        var paths: [String: [String: Any]] = [:]
        for route in routes { paths[route.path, default: [:]][route.method.rawValue.lowercased()] = operation(route) }
        let schemas = (try? JSONSerialization.jsonObject(with: Data(SchemaTable.json.utf8))) ?? [String: Any]()
        let document: [String: Any] = [
            "openapi": "3.1.0",
            "info": [
                "title": "Tidings gateway",
                "version": TidingsVersion.current,
                "description":
                    "Pictures, layouts, commands and live events of glanceable widgets. Within /v1, fields and "
                    + "operations are only added.",
                "license": ["name": "MIT", "identifier": "MIT"],
            ],
            "servers": [["url": basePath.isEmpty ? "/" : basePath]],
            "paths": paths,
            "components": [
                "schemas": schemas,
                "securitySchemes": [
                    "bearer": [
                        "type": "http", "scheme": "bearer",
                        "description": "Created by 'tidings token new'. Reads over loopback need no token.",
                    ],
                    "session": [
                        "type": "apiKey", "in": "cookie", "name": SessionCookie.name,
                        "description": "Set by 'POST /v1/session' for browsers; allows reading only. "
                            + SessionCookie.nameRule,
                    ],
                ],
            ],
        ]
        let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        return (try? JSONSerialization.data(withJSONObject: document, options: options)) ?? Data()
    }

    private static func operation(_ route: Route) -> [String: Any] {
        var responses: [String: Any] = [:]
        for response in route.operation.responses { responses[String(response.status)] = Self.response(response) }
        for response in problems(route) {
            responses[String(response.status)] = responses[String(response.status)] ?? Self.response(response)
        }
        var parameters = route.segments.compactMap(parameter)
        parameters += route.operation.parameters.map(parameter)
        var operation: [String: Any] = [
            "operationId": route.operation.id,
            "summary": route.operation.summary,
            "responses": responses,
        ]
        if !parameters.isEmpty { operation["parameters"] = parameters }
        if let body = route.operation.body {
            var content: [String: Any] = [:]
            for (mediaType, schema) in [body] + route.operation.otherBodies {
                content[mediaType] = ["schema": ["$ref": "#/components/schemas/\(schema)"]]
            }
            operation["requestBody"] = ["required": true, "content": content]
        }
        if let scope = route.scope {
            operation["security"] = scope == .read ? [["bearer": []], ["session": []], [:]] : [["bearer": []]]
        }
        return operation
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
            Operation.Response(status: 431, summary: "The headers are too large."),
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

    private static func response(_ response: Operation.Response) -> [String: Any] {
        var result: [String: Any] = ["description": response.summary]
        var content: [String: Any] = [:]
        for (mediaType, schema) in response.content {
            content[mediaType] = schema.map { ["schema": ["$ref": "#/components/schemas/\($0)"]] } ?? [String: Any]()
        }
        if !content.isEmpty { result["content"] = content }
        return result
    }

    /// Returns the description of a path parameter; nil if the segment is literal text.
    private static func parameter(_ segment: Route.Segment) -> [String: Any]? {
        guard case .parameter(let name, _) = segment else { return nil }
        let pattern =
            switch name {
            case "widget", "display": "^[a-z0-9][a-z0-9-]{0,62}$"
            case "file": "^[a-z0-9][a-z0-9-]{0,62}\\.(png|svg|json)$"
            default: "^[a-z0-9-]{1,200}$"
            }
        return ["name": name, "in": "path", "required": true, "schema": ["type": "string", "pattern": pattern]]
    }

    private static func parameter(_ parameter: Operation.Parameter) -> [String: Any] {
        var result: [String: Any] = [
            "name": parameter.name, "in": parameter.place.rawValue, "description": parameter.summary,
        ]
        switch parameter.schema {
        case .string(let pattern):
            result["schema"] = pattern.map { ["type": "string", "pattern": $0] } ?? ["type": "string"]
        case .choice(let values): result["schema"] = ["type": "string", "enum": values]
        case .integer(let range):
            result["schema"] = ["type": "integer", "minimum": range.lowerBound, "maximum": range.upperBound]
        case .list(let pattern):
            result["schema"] = ["type": "array", "minItems": 1, "items": ["type": "string", "pattern": pattern]]
            result["style"] = "form"
            result["explode"] = false
        }
        return result
    }
}
