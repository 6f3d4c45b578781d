// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import AccessTokens
import Configuration
import EventStreams
import Foundation
import ServiceRuntime
import Telemetry
import Testing
import WebServer
import WidgetSchema

@testable import Gateway

/// Compares the headers of responses with those in the OpenAPI description.
///
/// There is no bus. The tests simulate the layout service, and all other requests to services fail.
@Suite(.timeLimit(.minutes(2))) struct ResponseHeaderTests {
    /// The response of an operation with a status; an operation is written as `GET /v1/widgets`.
    private struct Response: Hashable {
        let operation: String
        let status: Int
    }

    // Foundation has a type `Operation`, too.
    private typealias Header = Gateway.Operation.Header

    /// The values of the parameter `file`, by the paths of the routes.
    private static let files = [
        "/boards/{file}": "kitchen.png", "/page/{file}": "icon.svg", "/page/fonts/{file}": "a.woff2",
    ]
    private static let pageFiles = ["today.html", "operations.html", "worker.js", "icon.svg", "fonts/a.woff2"]

    private let world: BoardWorld
    private let routes: [Route]
    private let router: Router
    private let token = AccessToken()

    init() throws {
        let world = try BoardWorld("panels: {reader: {board: kitchen, interval: 20m}}\n" + BoardWorld.text())
        let gateway = world.gateway
        world.closeBus()
        let pictures = PictureRoutes(gateway: gateway) { request throws(Problem) in try Self.draw(request, gateway) }
        let pages = PageFiles(Self.pageFiles.compactMap { PageFile(name: $0, data: Data("x".utf8)) })
        let own = world.routes() + pictures.routes + PageRoutes(files: pages, access: gateway.access).routes
        routes = RouteTable.routes(gateway).map { route in
            own.first { $0.path == route.path && $0.method == route.method } ?? route
        }
        let record = TokenRecord(token: token, name: "all", scopes: AccessScope.allCases, created: "")
        router = Router(
            routes,
            access: Access(
                settings: TidingsConfiguration.Gateway(),
                tokens: TokenFile(tokens: [record]),
                metrics: gateway.metrics
            ),
            metrics: gateway.metrics,
            log: AccessLog(isOn: false, log: .discarded, metrics: gateway.metrics)
        )
        self.world = world
    }

    /// Draws the latest cycle of a widget.
    private static func draw(
        _ request: RenderRequest,
        _ gateway: GatewayParts
    ) throws(Problem) -> (result: RenderAnswer, contents: [Data]) {
        let update = try gateway.latest(request.widget)
        guard let state = update.event.data.displays[request.display] else { throw .notFound("There is no display.") }
        var answer = RenderAnswer(
            widget: request.widget,
            display: request.display,
            sequence: update.range.sequence,
            digest: state.digest
        )
        guard let format = request.format else {
            answer.layout = Layout(size: Size(width: 10, height: 10), views: [])
            return (answer, [])
        }
        let bytes = Data("picture".utf8)
        answer.picture = RenderedPicture(format: format, width: 10, height: 10, bytes: bytes.count)
        return (answer, [bytes])
    }

    // MARK: Requests

    private func request(
        _ method: String,
        _ path: String,
        query: [(name: String, value: String)] = [],
        headers: [WebHeader] = [],
        body: Data = Data()
    ) -> WebRequest {
        var headers = headers
        headers += [WebHeader("Host", "localhost"), WebHeader("Authorization", "Bearer \(token.text)")]
        if !body.isEmpty { headers.append(WebHeader("Content-Length", "\(body.count)")) }
        return WebRequest(
            method: method,
            path: path,
            query: query,
            headers: headers,
            body: body,
            client: "127.0.0.1"
        )
    }

    private func response(to request: WebRequest) async -> WebResponse {
        switch router.admit(request) {
        case .refused(let response): return response
        case .accepted(_, _, let respond):
            switch respond(request) {
            case .now(let response): return response
            case .later(let body): return await body()
            }
        }
    }

    /// Returns a request to a route for the board `kitchen`, or for the widget `news` on `display`.
    private func request(_ route: Route, display: String) -> WebRequest {
        let values = [
            "widget": "news", "display": display, "device": "phone", "size": "800x480",
            "file": Self.files[route.path] ?? "\(display).png",
        ]
        let segments = route.segments.map { segment in
            switch segment {
            case .text(let text): text
            case .parameter(let name, let suffix): (values[name] ?? "x") + suffix
            }
        }
        let body = route.body == nil ? Data() : Data(#"{"token": ""}"#.utf8)
        // The stream of events would not end.
        let method = route.id == "streamEvents" ? "HEAD" : route.method.rawValue
        return request(method, "/" + segments.joined(separator: "/"), body: body)
    }

    /// The described headers of responses, or those that responses had.
    private struct Headers {
        private(set) var names: [Response: Set<String>] = [:]

        /// Adds a response with those of its headers that the description must name.
        mutating func add(_ response: WebResponse, of operation: String) {
            let known = response.headers.map(\.name).filter {
                Header(rawValue: $0) != nil || $0.hasPrefix("Tidings-")
            }
            names[Response(operation: operation, status: response.status), default: []].formUnion(known)
        }

        /// Adds a described response.
        mutating func add(_ headers: [String: Any], of response: Response) {
            names[response] = Set(headers.keys)
        }
    }

    /// Returns the headers in the OpenAPI description.
    private func described() async throws -> [Response: Set<String>] {
        let document = await response(to: request("GET", "/v1/openapi.json")).body
        let object = try #require(try JSONSerialization.jsonObject(with: document) as? [String: Any])
        let components = try #require(object["components"] as? [String: [String: Any]])
        let known = try #require(components["headers"]).keys
        let paths = try #require(object["paths"] as? [String: [String: [String: Any]]])
        var headers = Headers()
        for (path, operations) in paths {
            for (method, operation) in operations {
                let responses = try #require(operation["responses"] as? [String: [String: Any]])
                for (status, response) in responses {
                    let names = response["headers"] as? [String: Any] ?? [:]
                    #expect(Set(names.keys).isSubset(of: known))
                    let number = try #require(Int(status))
                    headers.add(names, of: Response(operation: "\(method.uppercased()) \(path)", status: number))
                }
            }
        }
        return headers.names
    }

    /// Sends requests to all routes, and returns the headers of the responses.
    private func sent() async throws -> [Response: Set<String>] {
        var sent = Headers()
        sent.add(await response(to: request("GET", "/boards/kitchen.png")), of: "GET /boards/{file}")
        try world.publishAll(10)
        let widget = try Samples.widget("news")
        let display = try #require(world.gateway.view[widget]?.event.data.displays.keys.min()).rawValue
        for route in routes {
            let (operation, request) = ("\(route.method.rawValue) \(route.path)", request(route, display: display))
            for refusal in [WebRefusal.stopping, .tooManyBodiesOfClient] {
                sent.add(router.refuse(request, refusal), of: operation)
            }
            let first = await response(to: request)
            sent.add(first, of: operation)
            guard let tag = first.header("ETag") else { continue }
            var conditional = request
            conditional.headers.append(WebHeader("If-None-Match", tag))
            let second = await response(to: conditional)
            #expect(second.status == 304, "\(operation)")
            sent.add(second, of: operation)
        }
        for headers in [[], [WebHeader("If-None-Match", "*")]] {
            let panel = request("GET", "/boards/kitchen.png", query: [("panel", "reader")], headers: headers)
            sent.add(await response(to: panel), of: "GET /boards/{file}")
            let picture = await response(to: request("GET", "/widgets/news/\(display).png"))
            let address = try #require(picture.header("Content-Location"))
            let immutable = request("GET", address, headers: headers)
            sent.add(await response(to: immutable), of: "GET /pictures/{name}")
        }
        sent.add(await response(to: request("GET", "/v1/widgets", query: [("limit", "1")])), of: "GET /v1/widgets")
        let commands = routes.filter { route in route.responses.contains { $0.status == 202 } }
        #expect(commands.count == 3)
        for wait in [0, 1] {
            let response = try await answered(widget, wait: wait)
            #expect(response.status == (wait == 0 ? 202 : 200))
            for route in commands { sent.add(response, of: "\(route.method.rawValue) \(route.path)") }
        }
        return sent.names
    }

    /// Returns the response to a command that the cache has answered with the widget's latest cycle.
    private func answered(_ widget: WidgetID, wait: Int) async throws -> WebResponse {
        let command = world.gateway.commands.command(widget) { _, _ throws(Problem) in
            CycleAnswer(widget: widget, sequence: SequenceNumber(10))
        }
        let call = Call(
            request: request("POST", "/", headers: [WebHeader("Prefer", "wait=\(wait)")]),
            parameters: [:],
            client: "127.0.0.1",
            token: nil
        )
        return try await CommandRoutes(gateway: world.gateway).response(call, widget, command)
    }

    // MARK: Tests

    @Test func theDescriptionNamesTheHeadersOfEachResponse() async throws {
        let (described, sent) = (try await described(), try await sent())
        for route in routes {
            let operation = "\(route.method.rawValue) \(route.path)"
            #expect(sent[Response(operation: operation, status: 503)] != nil, "\(operation)")
        }
        for (response, names) in sent {
            #expect(described[response] == names, "\(response.operation) \(response.status)")
        }
        // The loop above compares only responses that were sent, so those with other headers must be among them.
        for (response, names) in described where response.status == 200 || response.status == 304 {
            guard !names.subtracting([Header.cacheControl.rawValue]).isEmpty else { continue }
            #expect(sent[response] != nil, "\(response.operation) \(response.status)")
        }
    }
}
