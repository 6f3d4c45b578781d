// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Locking
import TestSupport
import Testing
import WebServer
import WidgetSchema

@testable import Configuration
@testable import Gateway

@Suite(.timeLimit(.minutes(5))) struct PanelTests {
    private let world: PanelWorld
    private let base = "http://192.168.1.10:8080"

    init() throws { world = try PanelWorld() }

    private func hello(_ key: String? = nil, id: String = PanelWorld.id) -> [WebHeader] {
        [WebHeader("ID", id), WebHeader("Width", "800"), WebHeader("Height", "480")]
            + (key.map { [WebHeader("Access-Token", $0)] } ?? [])
    }

    private func display(_ key: String? = nil, id: String = PanelWorld.id) async throws -> PanelDisplayDocument {
        let response = await world.send("GET", base + "/api/display", hello(key, id: id))
        #expect(response.status == 200)
        return try WireJSON.decode(PanelDisplayDocument.self, from: response.body)
    }

    private func setUp(id: String = PanelWorld.id) async throws -> PanelSetupDocument {
        let response = await world.send("GET", base + "/api/setup/", hello(id: id))
        #expect(response.status == 200)
        return try WireJSON.decode(PanelSetupDocument.self, from: response.body)
    }

    /// Pairs the panel, and returns its key.
    private func paired() async throws -> String {
        try world.pair()
        return try await setUp().key
    }

    // MARK: Pairing

    @Test func aKeyIsGivenOnlyWhileThePairingWindowIsOpen() async throws {
        #expect(try await setUp().key.isEmpty)
        try world.pair(minutes: 10)
        let given = try await setUp()
        #expect(given.status == 200 && given.friendlyID.count == 6 && !given.key.isEmpty)
        world.advance(by: 601)
        let late = try await setUp()
        #expect(late.key.isEmpty && late.status != 200 && late.status != 404)
    }

    @Test func theStoreHasTheHashOfAKeyAndNotTheKey() async throws {
        let key = try await paired()
        try world.paint("kitchen", "one")
        _ = try await display(key)
        for name in world.fileNames {
            let data = try Data(contentsOf: world.folder.appending(path: "panels/\(name)"))
            #expect(!String(decoding: data, as: UTF8.self).contains(key))
        }
        #expect(world.fileNames.count == 3)
    }

    @Test func aPanelOutsideOfTheConfigurationGetsAKeyOnlyByItsID() async throws {
        try world.pair()
        #expect(try await setUp(id: "11:22:33:44:55:66").key.isEmpty)
        try world.pair("11:22:33:44:55:66")
        #expect(try await setUp().key.isEmpty)
        let key = try await setUp(id: "11:22:33:44:55:66").key
        #expect(!key.isEmpty)
        // It has no board yet, and the picture says so.
        let answer = try await display(key, id: "11:22:33:44:55:66")
        #expect(answer.status == 0 && answer.filename.hasPrefix("notice-"))
        let report = try #require(world.panels.report(at: world.now))
        #expect(report.panels.contains { $0.state == .unconfigured })
    }

    @Test func aKeyThatIsUsedIsReplacedOnlyByTheIDOfItsPanel() async throws {
        let first = try await paired()
        // The answer was lost: the key was never used.
        let second = try await setUp().key
        #expect(!second.isEmpty && second != first)
        _ = try await display(second)
        #expect(try await setUp().key.isEmpty)
        try world.pair(PanelWorld.id)
        #expect(try await setUp().key.isEmpty == false)
    }

    @Test func aPanelKeepsTheKeyOfItsFormerServer() async throws {
        try world.paint("kitchen", "one")
        let former = "0123456789abcdef"
        #expect(try await display(former).filename.hasPrefix("notice-"))
        try world.pair()
        #expect(try await display(former).filename.hasPrefix("screen-"))
        world.advance(by: 3_600)
        world.restart()
        #expect(try await display(former).filename.hasPrefix("screen-"))
        #expect(try await display("another").filename.hasPrefix("notice-"))
    }

    @Test func aForgottenPanelNeedsAnotherKey() async throws {
        let key = try await paired()
        try world.paint("kitchen", "one")
        _ = try await display(key)
        world.advance(by: 3_600)
        _ = world.panels.answer(.request(PanelsRequest(action: .forget, panel: "wall")), at: world.now)
        world.restart()
        #expect(try await display(key).filename.hasPrefix("notice-"))
        #expect(world.fileNames.filter { $0 != "pairing.json" }.isEmpty)
    }

    // MARK: Answers

    @Test func anAnswerHasAllFieldsWithTheirTypes() async throws {
        let key = try await paired()
        try world.paint("kitchen", "one")
        let response = await world.send("GET", base + "/api/display/", hello(key))
        let object = try #require(try JSONSerialization.jsonObject(with: response.body) as? [String: Any])
        #expect(
            object.keys.sorted() == [
                "filename", "image_url", "refresh_rate", "reset_firmware", "special_function", "status",
                "update_firmware",
            ]
        )
        let text = String(decoding: response.body, as: UTF8.self)
        #expect(text.contains(#""status":0"#) && text.contains(#""refresh_rate":900"#))
        #expect(text.contains(#""update_firmware":false"#) && text.contains(#""reset_firmware":false"#))
        #expect(text.contains(#""special_function":"none""#))
        #expect(response.header("Content-Type") == "application/json")
        let answer = try WireJSON.decode(PanelDisplayDocument.self, from: response.body)
        #expect(answer.filename.utf8.count == 24 && answer.imageURL.hasPrefix(base + "/api/image/"))
    }

    @Test func thePictureIsServedUnderTheAddressInTheAnswerAndNoOther() async throws {
        let key = try await paired()
        try world.paint("kitchen", "one")
        let address = try await display(key).imageURL
        world.restart()
        let response = await world.send("GET", address, [])
        #expect(response.status == 200 && response.header("Content-Type") == "image/png")
        #expect(response.body == PanelWorld.png("one"))
        let forged = address.replacing(/\.[0-9a-f]{32}\.png/, with: ".\(String(repeating: "0", count: 32)).png")
        #expect(forged != address)
        #expect(await world.send("GET", forged, hello(key)).status == 404)
        // An answer that is replayed does not show later pictures.
        try world.paint("kitchen", "two")
        let next = try await display(key)
        #expect(await world.send("GET", address, hello(key)).status == 404)
        #expect(await world.send("GET", next.imageURL, []).body == PanelWorld.png("two"))
    }

    @Test func namesOfDifferentPicturesDifferEvenIfTheClockIsSetBack() async throws {
        let key = try await paired()
        var names: [String] = []
        for number in 0..<20 {
            try world.paint("kitchen", "picture \(number)")
            names.append(try await display(key).filename)
            if number.isMultiple(of: 5) { world.advance(by: -10_000) }
        }
        #expect(Set(names).count == 20)
        // The firmware does not keep a file with a time in the future.
        let last = try #require(names.last.flatMap { Int64($0.suffix(10)) })
        #expect(last <= world.now.milliseconds / 1_000)
        #expect(Set(names.map { $0.prefix(13) }).count == 1)
    }

    @Test func samePixelsKeepTheNameOfAPicture() async throws {
        let key = try await paired()
        try world.paint("kitchen", "one")
        let first = try await display(key).filename
        world.advance(by: 900)
        try world.paint("kitchen", "one")
        world.restart()
        #expect(try await display(key).filename == first)
        let entry = try world.wall()
        #expect(entry.wakes == 2 && entry.redraws == 1 && entry.redrawsSaved == 1)
    }

    @Test func aPictureThatWasNotLoadedLeavesTheOneBeforeUnderItsName() async throws {
        let key = try await paired()
        try world.paint("kitchen", "one")
        let first = try await display(key)
        #expect(await world.send("GET", first.imageURL, []).status == 200)
        world.advance(by: 900)
        try world.paint("kitchen", "two")
        let second = try await display(key)
        world.advance(by: 900)
        try world.paint("kitchen", "one")
        world.restart()
        let third = try await display(key)
        #expect(second.filename != first.filename && third.filename == first.filename)
        #expect(await world.send("GET", third.imageURL, []).body == PanelWorld.png("one"))
    }

    @Test func aPanelKeepsItsPictureWhileEverythingIsDown() async throws {
        let key = try await paired()
        try world.paint("kitchen", "one")
        let first = try await display(key)
        world.stage.scene.withLock { $0.pictures = [:] }
        world.restart()
        let second = try await display(key)
        #expect(second == first)
        #expect(await world.send("GET", second.imageURL, []).body == PanelWorld.png("one"))
    }

    @Test func aPanelWhoseBoardWasNeverDrawnGetsAPicture() async throws {
        let key = try await paired()
        world.stage.scene.withLock { $0.layoutIsDown = true }
        let answer = try await display(key)
        let blank = await world.send("GET", answer.imageURL, [])
        #expect(blank.status == 200 && blank.body == BlankPicture.png(width: 800, height: 480))
        #expect(try world.wall().wakes == 1)
        world.stage.scene.withLock { $0.layoutIsDown = false }
        try world.paint("kitchen", "one")
        #expect(try await display(key).filename.hasPrefix("screen-"))
    }

    @Test func batteriesAndMissedWakesNeedAttention() async throws {
        let key = try await paired()
        try world.paint("kitchen", "one")
        let headers = hello(key) + [WebHeader("Battery-Voltage", "3.31"), WebHeader("RSSI", "-70")]
        _ = await world.send("GET", base + "/api/display", headers)
        #expect(try world.wall().warnings == ["Its battery has 3.31 V; charge it."])
        #expect(try world.wall().batteryMillivolts == 3_310)
        world.advance(by: 3 * 900 + 1)
        #expect(try world.wall().warnings.count == 2)
        #expect(world.panels.report(at: world.now)?.attention?.contains("Panel 'wall'") == true)
    }

    @Test func anotherGatewayCannotUseTheFolder() async throws {
        _ = try await paired()
        let other = PanelService(
            folder: world.folder.appending(path: "panels").path,
            panels: world.base.configuration.panels
        )
        guard case .refused(let error) = other.answer(.request(PanelsRequest(action: .pair)), at: world.now) else {
            Issue.record("the other gateway has the panels")
            return
        }
        #expect(error.message.contains("another gateway uses the panels"))
    }

    @Test func aRunningGatewayReadsRestoredFiles() async throws {
        let key = try await paired()
        try world.paint("kitchen", "one")
        _ = try await display(key)
        // After the pairing window, in which the panel could keep its key.
        world.advance(by: 3_600)
        try world.backUp()
        _ = world.panels.answer(.request(PanelsRequest(action: .forget, panel: "wall")), at: world.now)
        #expect(try await display(key).filename.hasPrefix("notice-"))
        try world.restoreBesideTheGateway()
        let answer = try await display(key)
        #expect(answer.filename.hasPrefix("screen-"))
        #expect(await world.send("GET", answer.imageURL, []).body == PanelWorld.png("one"))
    }

    @Test func theNextWakeIsTheOneThatThePanelIsTold() async throws {
        let key = try await paired()
        try world.paint("kitchen", "one")
        let attempt = world.now.advanced(by: .seconds(7_200))
        world.stage.scene.withLock { $0.changes = BoardChanges(possible: [.attempt(attempt)]) }
        #expect(try await display(key).refreshRate > 7_200)
        let next = try #require(try world.wall().nextWake)
        #expect(next > attempt && next < attempt.advanced(by: .seconds(900)))
        let wake = try #require(world.panels.changedWakes(at: world.now)?.first)
        #expect(wake.board.rawValue == "kitchen" && wake.earliest < next)
        #expect(wake.earliest > attempt.advanced(by: .seconds(-60)))
        #expect(world.panels.changedWakes(at: world.now) == nil)
        // A panel that keeps its picture looks at no source.
        let until = world.now.advanced(by: .seconds(3 * 86_400))
        _ = world.panels.answer(.request(PanelsRequest(action: .sleep, panel: "wall", until: until)), at: world.now)
        #expect(world.panels.changedWakes(at: world.now) == [])
    }

    // MARK: Hostile requests

    @Test func refusedPanelsLearnNothingAndNothingGrows() async throws {
        let key = try await paired()
        try world.paint("kitchen", "one")
        _ = try await display(key)
        world.advance(by: 3_600)
        let files = world.fileNames.sorted()
        var generator = SeededGenerator(seed: 7)
        let ids = (0..<10_000).map { String(format: "02:00:00:00:%02X:%02X", $0 / 256, $0 % 256) }
        for number in 0..<TestExtent.of(20_000, nightly: 100_000) {
            let id = generator.chance(20) ? PanelWorld.id : ids[number % ids.count]
            let path = ["/api/display", "/api/setup", "/api/display/", "/api/log"][number % 4]
            var headers = [WebHeader("ID", id)]
            switch Int.random(in: 0..<6, using: &generator) {
            case 0: headers = []
            case 1: headers[0].value = String(repeating: "A", count: Int.random(in: 60..<8_000, using: &generator))
            case 2: headers.append(WebHeader("Access-Token", String(repeating: "k", count: 8_000)))
            case 3: headers.append(WebHeader("Access-Token", "tdg_\(number)"))
            case 4: headers += [WebHeader("Width", "99999999999999999999"), WebHeader("Height", "-1")]
            default:
                headers += [WebHeader("Battery-Voltage", "nan"), WebHeader("RSSI", "\u{1}"), WebHeader("Model", "\n")]
            }
            let method = path.hasSuffix("log") ? "POST" : "GET"
            // Enough clients for none to exceed its limit.
            world.client = "192.0.2.\(number % 200)"
            let response = await world.send(method, base + path, headers, body: Data("[".utf8))
            #expect(response.status == 200 || response.status == 204 || response.status == 400)
            guard response.status == 200 else { continue }
            let text = String(decoding: response.body, as: UTF8.self)
            #expect(!text.contains("screen-") && !text.contains("tdg_"))
        }
        #expect(world.fileNames.sorted() == files)
        let report = try #require(world.panels.report(at: world.now))
        #expect(report.refused.count <= PanelCore.maximumRefused && report.panels.count == 2)
        #expect(world.stage.scene.withLock(\.drawn) <= 40 * PanelPictures.noticesPerMinute)
        #expect(try await display(key).filename.hasPrefix("screen-"))
    }

    @Test func thePictureOfANewPanelSaysItsID() async throws {
        let answer = try await display(id: "11:22:33:44:55:66")
        #expect(answer.status == 0 && answer.refreshRate == 900 && answer.filename.hasPrefix("notice-"))
        let picture = await world.send("GET", answer.imageURL, [])
        let text = String(decoding: picture.body, as: UTF8.self)
        #expect(picture.status == 200 && picture.header("Content-Type") == "image/png")
        for line in ["panels:", "id: 11:22:33:44:55:66", "board: kitchen", "tidings panel pair"] {
            #expect(text.contains(line), "\(line)")
        }
    }
}
