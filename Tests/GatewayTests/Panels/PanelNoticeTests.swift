// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import Foundation
import HTTPTransport
import Locking
import TestSupport
import Testing
import WebServer
import WidgetSchema

@testable import Gateway

/// Tests of notices and white pictures, and of the limits for those who ask for them.
@Suite(.timeLimit(.minutes(2))) struct PanelNoticeTests {
    private static let base = "http://192.168.1.10:8080"

    private func headers(_ id: String = PanelWorld.id, key: String? = nil) -> [WebHeader] {
        [WebHeader("ID", id), WebHeader("Width", "800"), WebHeader("Height", "480")]
            + (key.map { [WebHeader("Access-Token", $0)] } ?? [])
    }

    private func display(_ world: PanelWorld, _ key: String) async throws -> PanelDisplayDocument {
        let response = await world.send("GET", Self.base + "/api/display", headers(key: key))
        return try WireJSON.decode(PanelDisplayDocument.self, from: response.body)
    }

    private func setUp(_ world: PanelWorld) async throws -> PanelSetupDocument {
        let response = await world.send("GET", Self.base + "/api/setup", [WebHeader("ID", PanelWorld.id)])
        return try WireJSON.decode(PanelSetupDocument.self, from: response.body)
    }

    /// Returns the text of a notice that anyone requests; empty for a white picture.
    private func notice(_ world: PanelWorld, _ kind: String, _ id: String) async -> String {
        let address = "\(Self.base)/api/notice/\(kind)/\(id)/800x480/notice-000000-0000000000.png"
        let response = await world.send("GET", address, [])
        let isWhite = response.body == BlankPicture.png(width: 800, height: 480)
        return isWhite ? "" : String(decoding: response.body, as: UTF8.self)
    }

    // MARK: Requests

    @Test(arguments: ["800x480": 200, "12x34": 200, "0.5": 404, "800": 404, "800x": 404, "+8x480": 404, "0x0": 200])
    func aWhitePictureHasASizeInItsAddress(size: String, status: Int) async throws {
        let world = try PanelWorld()
        let picture = await world.send("GET", Self.base + "/api/blank/\(size).png", [])
        #expect(picture.status == status)
        let notice = "/api/notice/starting/\(PanelWorld.id)/\(size)/notice-000000-0000000000.png"
        let drawn = await world.send("GET", Self.base + notice, [])
        #expect((drawn.status == 404) == (status == 404))
    }

    @Test(arguments: [#"{"logs": [{"message": "hello", "id": 1}]}"#: 204, "{}": 204, "[": 400, #"{"logs": null}"#: 400])
    func aLogIsReadFromJSONAlone(log: String, status: Int) async throws {
        let world = try PanelWorld()
        let headers = [WebHeader("ID", PanelWorld.id)]
        let answer = await world.send("POST", Self.base + "/api/log", headers, body: Data(log.utf8))
        #expect(answer.status == status)
    }

    // MARK: Services that stand still

    @Test func aPanelIsAnsweredWithinOneTimeLimitWhileEverythingStandsStill() async throws {
        let world = try PanelWorld(timeout: .seconds(5))
        try world.pair()
        let key = try await setUp(world).key
        world.stage.scene.withLock { $0.isFrozen = true }
        let started = ContinuousClock.now
        let told = try await display(world, key)
        #expect(ContinuousClock.now - started < .milliseconds(9_900))
        #expect(told.status == 0 && told.imageURL.contains("/api/notice/starting/"))
        #expect(await world.send("GET", told.imageURL, []).status == 200)
    }

    @Test func aBoardThatTakesTooLongIsShownAsItWasLast() async throws {
        let world = try PanelWorld(timeout: .seconds(1))
        try world.pair()
        try world.paint("kitchen", "one")
        let key = try await setUp(world).key
        let attempt = world.now.advanced(by: .seconds(7_200))
        world.stage.scene.withLock { $0.changes = BoardChanges(possible: [.attempt(attempt)]) }
        let first = try await display(world, key)
        #expect(first.refreshRate > 7_200)
        try world.paint("kitchen", "two")
        world.stage.scene.withLock { $0.isFrozen = true }
        let second = try await display(world, key)
        #expect(second.filename == first.filename && second.refreshRate < 1_000)
    }

    // MARK: Many ids

    @Test func manyIDsLeaveAGeneralNoticeForNewPanels() async throws {
        let world = try PanelWorld()
        for number in 0..<PanelPictures.noticesPerMinute {
            let id = String(format: "02:00:00:00:00:%02X", number)
            #expect(await notice(world, "unknown", id).contains(id))
        }
        let general = await notice(world, "unknown", "11:22:33:44:55:66")
        #expect(general.contains("This panel is new") && !general.contains("11:22:33:44:55:66"))
        // General notices of other kinds are drawn, too.
        #expect(await notice(world, "wrongKey", "11:22:33:44:55:66").contains("This panel has another key"))
    }

    @Test func manyIDsDoNotTakeTheNoticeOfAPanelWithAKey() async throws {
        let world = try PanelWorld()
        let id = "11:22:33:44:55:66"
        try world.pair(id)
        let setup = await world.send("GET", Self.base + "/api/setup", [WebHeader("ID", id)])
        let key = try WireJSON.decode(PanelSetupDocument.self, from: setup.body).key
        for number in 0..<(2 * PanelPictures.noticesPerMinute) {
            _ = await notice(world, "noBoard", String(format: "02:00:00:00:00:%02X", number))
        }
        let response = await world.send("GET", Self.base + "/api/display", headers(id, key: key))
        let answer = try WireJSON.decode(PanelDisplayDocument.self, from: response.body)
        let picture = await world.send("GET", answer.imageURL, [])
        #expect(String(decoding: picture.body, as: UTF8.self).contains(id))
    }

    // MARK: What is seen

    @Test func metricsAndThePreviewShowWhatEachPanelDoes() async throws {
        let world = try PanelWorld()
        try world.pair()
        try world.paint("kitchen", "one")
        let key = try await setUp(world).key
        world.advance(by: 90)
        let told = headers(key: key) + [WebHeader("Battery-Voltage", "3.95"), WebHeader("RSSI", "-70")]
        _ = await world.send("GET", Self.base + "/api/display", told)
        // Before the first report.
        #expect(!MetricsPage.own(world.gateway).contains("tidings_panel_wakes_total"))
        _ = try #require(world.panels.report(at: world.now))
        let page = MetricsPage.own(world.gateway)
        for line in [
            #"tidings_panel_wakes_total{panel="wall"} 1"#, #"tidings_panel_redraws_total{panel="wall"} 1"#,
            #"tidings_panel_redraws_saved_total{panel="wall"} 0"#, #"tidings_panel_delay_seconds{panel="wall"} 90"#,
            #"tidings_panel_battery_volts{panel="wall"} 3.95"#, #"tidings_panel_signal_dbm{panel="wall"} -70"#,
        ] {
            #expect(page.contains(line + "\n"), "\(line)")
        }
        let shown = try #require(PanelListRoutes(gateway: world.gateway).routes.first { $0.id == "getShownPicture" })
        let cases: [(String, Data?)] = [
            (PanelWorld.id, PanelWorld.png("one")), ("11:22:33:44:55:66", nil), ("=reader", nil),
        ]
        for (panel, png) in cases {
            let request = WebRequest(method: "GET", path: "/v1/panels/\(panel).png")
            let call = Call(request: request, parameters: ["panel": panel], client: "192.0.2.7", token: nil)
            guard case .later(let body) = try shown.handle(call) else {
                Issue.record("the picture is not read")
                return
            }
            let response = await body()
            #expect(response.status == (png == nil ? 404 : 200), "\(panel)")
            if let png { #expect(response.body == png) }
        }
    }

    @Test func aRecordThatIsNotConfiguredDoesNotHaveTheNameOfAPanelInTheMetrics() {
        var entry = PanelReport.Entry(state: .unconfigured)
        entry.name = PanelName(rawValue: "wall")
        #expect(MetricsPage.panelLabel(of: entry) == nil)
        entry.id = PanelID(rawValue: PanelWorld.id)
        #expect(MetricsPage.panelLabel(of: entry) == PanelWorld.id)
        entry.state = .paired
        #expect(MetricsPage.panelLabel(of: entry) == "wall")
    }

    // MARK: Limits of the gateway

    @Test func aPanelWithItsKeyIsAnsweredBesideAClientThatSendsTooMuch() async throws {
        let world = try PanelWorld()
        try world.pair()
        try world.paint("kitchen", "one")
        let key = try await setUp(world).key
        _ = try await display(world, key)
        let limit = TidingsConfiguration.Gateway().requestsPerMinute
        for _ in 0..<(limit / 5) { _ = await world.send("GET", Self.base + "/api/display", headers()) }
        #expect((world.statuses[429] ?? 0) > 0)
        #expect(try await display(world, key).filename.hasPrefix("screen-"))
    }

    @Test func onlyAPanelWithItsKeyIsAnsweredUnderAnotherName() async throws {
        let world = try PanelWorld()
        try world.pair()
        try world.paint("kitchen", "one")
        let key = try await setUp(world).key
        let address = "http://old.example:8080/api/display"
        #expect(await world.send("GET", address, headers(key: key)).status == 200)
        #expect(await world.send("GET", address, headers(key: "another")).status == 421)
        #expect(await world.send("GET", address, headers("11:22:33:44:55:66")).status == 421)
        #expect(await world.send("DELETE", Self.base + "/api/display", headers(key: key)).status == 405)
    }

    // MARK: White pictures

    @Test func theFirstPictureOfASetupHasTheSizeOfTheBoard() async throws {
        let text = PanelWorld.text().replacing("kitchen: {model: trmnl-og", with: "kitchen: {model: trmnl-x")
        let world = try PanelWorld(text)
        try world.pair()
        let image = try await setUp(world).imageURL
        let model = try #require(PanelModel.named("trmnl-x"))
        #expect(image.hasSuffix("/api/blank/\(model.width)x\(model.height).png"))
        let white = BlankPicture.png(width: model.width, height: model.height)
        #expect(await world.send("GET", image, []).body == white)
    }

    @Test func aWhitePictureIsAcceptedByEachModel() {
        for model in PanelModel.all {
            let count = BlankPicture.png(width: model.width, height: model.height).count
            #expect(count <= model.byteLimit, "\(model.name): \(count) bytes")
        }
    }

    @Test(arguments: [[800, 480], [1_872, 1_404], [64, 32], [16, 16], [33, 90], [300, 200]])
    func aWhitePictureHasWhiteRows(size: [Int]) throws {
        let row = Data([0] + [UInt8](repeating: 0xFF, count: (size[0] + 7) / 8))
        var rows = Data()
        for _ in 0..<size[1] { rows.append(row) }
        let png = [UInt8](BlankPicture.png(width: size[0], height: size[1]))
        // The data begins after the signature, the header and the head of its chunk.
        let count = png[33..<37].reduce(0) { $0 << 8 | Int($1) }
        let data = png[41..<(41 + count)]
        // Inside of gzip (RFC 1952) instead of zlib.
        var gzip = Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0])
        gzip.append(contentsOf: data.dropFirst(2).dropLast(4))
        for number in [Self.checksum(rows), UInt32(rows.count)] {
            gzip.append(contentsOf: [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: number >> $0) })
        }
        let inflated = try gzip.inflated(maximumBytes: rows.count)
        #expect(inflated == rows)
    }

    private static func checksum(_ data: Data) -> UInt32 {
        var value = UInt32.max
        for byte in data {
            value ^= UInt32(byte)
            for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
        }
        return ~value
    }
}
