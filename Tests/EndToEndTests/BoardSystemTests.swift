// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import AccessTokens
import Foundation
import HTTPTransport
import TestSupport
import Testing
import WidgetSchema

/// Tests of boards with all services.
@Suite(.timeLimit(.minutes(3))) struct BoardSystemTests {
    private static let board = """
        boards:
          kitchen:
            model: trmnl-og
            layout: halves
            header: date
            cells: [{widget: wisdom}, {widget: home, name: Living room}]

        """

    private static let widgets = [
        "wisdom": "{kind: quote, source: push}", "home": "{kind: keyValue, source: push, show: all}",
    ]

    private func push(_ body: String, to widget: String, _ port: Int, _ token: String) async throws {
        let headers = ["Authorization": "Bearer \(token)"]
        let answer = try await get(
            port,
            "/v1/widgets/\(widget)/content",
            method: "PUT",
            headers: headers,
            body: body
        )
        #expect(answer.status == 200)
    }

    private func cells(_ document: HTTPResponse) throws -> [[String: Any]] {
        try #require(try json(document)["cells"] as? [[String: Any]])
    }

    /// Waits until both layout instances know that they share the widgets.
    private func waitForShares(_ system: RunningSystem) async throws {
        for instance in ["layout", "layout2"] {
            try await system.until("the share of \(instance)") {
                let health = try await system.ask(.layout, instance: instance, HealthRequest()).result.health
                return health.gauges["layout.instances"] == 2
            }
        }
    }

    @Test func aBoardOverTwoLayoutInstancesChangesOnlyIfAWidgetOnItLooksDifferent() async throws {
        try await RunningSystem.with(Self.widgets) { system in
            try await system.start("layout", as: "layout2")
            try await waitForShares(system)
            let token = try system.createToken(.push).text
            let port = try await system.startGateway()
            let file = system.file("tidings.yml")
            let text = try String(contentsOf: file, encoding: .utf8)
            try Data((Self.board + text).utf8).write(to: file, options: .atomic)
            try await push(
                #"{"quotes": [{"text": "Well begun is half done.", "author": "Aristotle"}]}"#,
                to: "wisdom",
                port,
                token
            )
            try await push(#"{"Bedroom": "18.9 °C", "Kitchen": "21.5 °C"}"#, to: "home", port, token)
            try await system.until("the board") {
                let board = try await get(port, "/boards/kitchen.json")
                return try board.status == 200 && json(board)["isCurrent"] as? Bool == true
            }
            try await system.until("the picture of both contents") {
                let before = try await get(port, "/boards/kitchen.png").headers["etag"]
                let after = try await get(port, "/boards/kitchen.png").headers["etag"]
                return before != nil && before == after
            }
            let first = try await get(port, "/boards/kitchen.png")
            #expect(first.headers["content-type"] == "image/png" && first.body.starts(with: [0x89, 0x50, 0x4E, 0x47]))
            let tag = try #require(first.headers["etag"])

            // A member that the widget does not show makes a cycle, and no other picture.
            let sequence = try cells(await get(port, "/boards/kitchen.json")).first?["sequence"] as? String
            try await push(
                #"{"quotes": [{"text": "Well begun is half done.", "author": "Aristotle"}], "page": 3}"#,
                to: "wisdom",
                port,
                token
            )
            #expect(try await get(port, "/boards/kitchen.png", headers: ["If-None-Match": tag]).status == 304)

            try await push(#"{"quotes": [{"text": "Know thyself."}]}"#, to: "wisdom", port, token)
            try await system.until("the other quote") {
                try await get(port, "/boards/kitchen.png", headers: ["If-None-Match": tag]).status == 200
            }
            let document = try await get(port, "/boards/kitchen.json")
            #expect(try cells(document).first?["sequence"] as? String != sequence)
            #expect(try json(await get(port, "/v1/boards"))["boards"] is [Any])
            #expect(try await get(port, "/boards/kitchen.svg").status == 200)
            #expect(try await get(port, "/boards/hall.png").status == 404)

            // One instance is enough, and the last picture outlives both.
            try await system.kill("layout")
            let before = try #require(try await get(port, "/boards/kitchen.png").headers["etag"])
            try await push(#"{"quotes": [{"text": "Nothing in excess."}]}"#, to: "wisdom", port, token)
            try await push(#"{"Bedroom": "17.2 °C", "Kitchen": "21.5 °C"}"#, to: "home", port, token)
            try await system.until("the picture of the instance that is left") {
                let document = try await get(port, "/boards/kitchen.json")
                let board = try json(document)
                return board["isCurrent"] as? Bool == true && board["etag"] as? String != before
            }
            let last = try await get(port, "/boards/kitchen.png")
            try await system.kill("layout2")
            try await system.stop("gateway")
            let second = try await system.startGateway()
            let kept = try await get(second, "/boards/kitchen.png")
            #expect(kept.status == 200 && kept.body == last.body && kept.headers["etag"] == last.headers["etag"])
        }
    }

    /// Requests a picture several times at once, and returns its tags with the bytes that came with each.
    private func pictures(_ port: Int) async -> [(tag: String?, response: HTTPResponse)] {
        await withTaskGroup(of: HTTPResponse?.self) { group in
            for _ in 0..<4 { group.addTask { try? await get(port, "/boards/kitchen.png") } }
            var found: [(tag: String?, response: HTTPResponse)] = []
            for await case let response? in group { found.append((response.headers["etag"], response)) }
            return found
        }
    }

    @Test func aServiceThatIsKilledWhileABoardIsDrawnLeavesNoFalsePicture() async throws {
        try await RunningSystem.with(Self.widgets, more: Self.board) { system in
            let token = try system.createToken(.push).text
            let port = try await system.startGateway()
            try await push(#"{"Kitchen": "21.5 °C"}"#, to: "home", port, token)
            var bodies: [String: Data] = [:]
            var digests: [String] = []
            for (number, service) in ["layout", "cache", "notifier", "bus"].enumerated() {
                try await push(#"{"quotes": [{"text": "Saying \#(number)."}]}"#, to: "wisdom", port, token)
                async let drawn = pictures(port)
                try await system.killAndStart(service)
                for picture in await drawn where picture.response.status == 200 {
                    let tag = try #require(picture.tag)
                    let known = bodies.updateValue(picture.response.body, forKey: tag)
                    #expect(known == nil || known == picture.response.body, "\(service)")
                }
                try await system.until("the picture of the last saying after \(service) was killed") {
                    let board = try json(try await get(port, "/boards/kitchen.json"))
                    let picture = try await get(port, "/boards/kitchen.png")
                    let digest = (board["cells"] as? [[String: Any]])?.first?["digest"] as? String
                    guard board["isCurrent"] as? Bool == true, board["etag"] as? String == picture.headers["etag"],
                        let digest, digests.last != digest
                    else { return false }
                    digests.append(digest)
                    return true
                }
            }
            #expect(bodies.count > 1 && Set(digests).count == 4)
        }
    }
}
