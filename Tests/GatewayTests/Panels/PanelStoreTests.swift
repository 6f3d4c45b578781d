// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import TestSupport
import Testing
import WebServer
import WidgetSchema

@testable import Configuration
@testable import Gateway

/// Tests of the panels' folder: two gateways, errors of the disk, and the pairing window on it.
@Suite(.timeLimit(.minutes(2))) struct PanelStoreTests {
    private static let unknownID = "11:22:33:44:55:66"
    private let world: PanelWorld
    private let base = "http://192.168.1.10:8080"

    init() throws {
        world = try PanelWorld()
        try world.paint("kitchen", "one")
    }

    private var stored: URL { world.folder.appending(path: "panels") }

    private func request(
        _ path: String,
        _ key: String? = nil,
        id: String = PanelWorld.id,
        method: String = "GET"
    ) async -> WebResponse {
        let headers = [WebHeader("ID", id)] + (key.map { [WebHeader("Access-Token", $0)] } ?? [])
        return await world.send(method, base + path, headers)
    }

    private func display(_ key: String? = nil, id: String = PanelWorld.id) async throws -> PanelDisplayDocument {
        try WireJSON.decode(PanelDisplayDocument.self, from: await request("/api/display", key, id: id).body)
    }

    private func key(id: String = PanelWorld.id) async throws -> String {
        try WireJSON.decode(PanelSetupDocument.self, from: await request("/api/setup", id: id).body).key
    }

    /// Pairs the panel, shows it the first picture after the pairing window, and returns its key.
    private func paired() async throws -> String {
        try world.pair()
        let key = try await key()
        world.advance(by: 3_600)
        _ = try await display(key)
        return key
    }

    private func panelHeaders(_ key: String) throws -> PanelHeaders {
        let headers = [WebHeader("ID", PanelWorld.id), WebHeader("Access-Token", key)]
        return try #require(PanelHeaders(WebRequest(method: "GET", path: "/api/display", headers: headers)))
    }

    private func names(_ suffix: String) -> [String] { world.fileNames.filter { $0.hasSuffix(suffix) } }

    // MARK: Two gateways

    @Test func aGatewayWithoutRequestsOfPanelsLeavesTheFolderToAnother() async throws {
        #expect(!FileManager.default.fileExists(atPath: stored.path))
        let idle = PanelService(folder: stored.path, panels: world.base.configuration.panels)
        #expect(idle.report(at: world.now)?.panels.count == 2)
        _ = try await display()
        #expect(!FileManager.default.fileExists(atPath: stored.path))
        let key = try await paired()
        #expect(try await display(key).filename.hasPrefix("screen-"))
        // It sees what the other one has written.
        let entry = idle.report(at: world.now)?.panels.first
        let panelHeaders = try panelHeaders(key)
        #expect(entry?.state == .paired && idle.isKnown(panelHeaders))
    }

    @Test func withoutTheLockAKnownPanelKeepsItsPicture() async throws {
        let key = try await paired()
        let told = try await display(key)
        let other = PanelService(folder: stored.path, panels: world.base.configuration.panels)
        let panelHeaders = try panelHeaders(key)
        guard case .identity(.board) = other.answer(.identify(panelHeaders), at: world.now),
            case .display(let display) = other.answer(
                .display(panelHeaders, picture: nil, changes: BoardChanges()),
                at: world.now
            ), let owner = display.owner
        else {
            Issue.record("the panel is refused")
            return
        }
        #expect(display.name.rawValue == told.filename && display.sleepSeconds == told.refreshRate)
        let download = PanelInput.Body.download(key: owner.key, name: display.name, signature: owner.signature)
        guard case .picture(let digest?) = other.answer(download, at: world.now) else {
            Issue.record("the picture is refused")
            return
        }
        #expect(other.picture(of: owner.key, digest)?.data == PanelWorld.png("one"))
    }

    @Test func aFolderThatCannotBeCreatedGivesNewPanelsTheirNotice() async throws {
        try Data().write(to: stored.deletingLastPathComponent().appending(path: "file"))
        let path = stored.deletingLastPathComponent().appending(path: "file/panels").path
        let panels = PanelService(folder: path, panels: world.base.configuration.panels)
        guard case .refused = panels.answer(.request(PanelsRequest(action: .pair)), at: world.now),
            case .identity(.notice(.unpaired)) = panels.answer(.identify(try panelHeaders("none")), at: world.now)
        else {
            Issue.record("the pairing window opens, or the panel is refused")
            return
        }
    }

    // MARK: The disk

    @Test func aRecordThatCannotBeReadIsNoEmptyStore() async throws {
        let key = try await paired()
        let name = try #require(names(".json").first { $0 != "pairing.json" })
        let (file, away) = (stored.appending(path: name), world.folder.appending(path: "away"))
        try FileManager.default.moveItem(at: file, to: away)
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
        world.restart()
        #expect(world.panels.report(at: world.now) == nil)
        #expect(await request("/api/display", key).status == 503)
        try FileManager.default.removeItem(at: file)
        try FileManager.default.moveItem(at: away, to: file)
        world.restart()
        let answer = try await display(key)
        #expect(answer.filename.hasPrefix("screen-") && names(".png").count == 1)
        #expect(try world.wall().redraws == 1)
    }

    @Test func thePictureOfAnInvalidRecordStays() async throws {
        _ = try await paired()
        let name = try #require(names(".json").first { $0 != "pairing.json" })
        try Data("{".utf8).write(to: stored.appending(path: name))
        world.restart()
        #expect(try await key().isEmpty)
        try world.pair()
        #expect(names(".png").count == 1)
    }

    @Test func aPanelThatCannotBeForgottenIsStillKnown() async throws {
        let key = try await paired()
        let name = try #require(names(".json").first { $0 != "pairing.json" })
        try FileManager.default.removeItem(at: stored.appending(path: name))
        try FileManager.default.createDirectory(at: stored.appending(path: name), withIntermediateDirectories: false)
        let output = world.panels.answer(.request(PanelsRequest(action: .forget, panel: "wall")), at: world.now)
        guard case .refused(let error) = output else {
            Issue.record("the panel is forgotten")
            return
        }
        let panelHeaders = try panelHeaders(key)
        #expect(error.message.contains("cannot be removed") && world.panels.isKnown(panelHeaders))
    }

    @Test func aFailedWriteLeavesNoFiles() async throws {
        let key = try await paired()
        let (name, before) = (try #require(names(".json").first { $0 != "pairing.json" }), names(".png"))
        try FileManager.default.removeItem(at: stored.appending(path: name))
        try FileManager.default.createDirectory(at: stored.appending(path: name), withIntermediateDirectories: false)
        try world.paint("kitchen", "two")
        let answer = try await display(key)
        #expect(answer.filename.hasPrefix("screen-"))
        #expect(names(".new").isEmpty && names(".png") == before)
    }

    @Test func aPanelWhoseFirstPictureCannotBeStoredIsToldOneThatItCanLoad() async throws {
        try world.pair()
        let key = try await key()
        try world.failDisk()
        let told = try await display(key)
        #expect(told.status == 0 && told.refreshRate >= 900 && told.imageURL.contains("/api/notice/starting/"))
        #expect(await world.send("GET", told.imageURL, []).status == 200)
        #expect(try world.wall().wakes == 0, "nothing is stored")
        try await world.repairDisk()
        #expect(try await display(key).filename.hasPrefix("screen-"))
        #expect(try world.wall().wakes == 1)
    }

    @Test func aSetupWhileTheDiskFailsIsNotToldThatTheWindowIsClosed() async throws {
        try world.pair()
        #expect(try await key().isEmpty == false)
        try world.failDisk()
        let answer = try WireJSON.decode(PanelSetupDocument.self, from: await request("/api/setup").body)
        #expect(answer.status == 403 && answer.key.isEmpty && answer.message.contains("cannot be stored"))
    }

    @Test func draftsOfAProcessThatEndedAreRemoved() async throws {
        let key = try await paired()
        try world.tearFiles()
        world.restart()
        _ = try await display(key)
        #expect(names(".new").isEmpty && names(".png").count == 1)
    }

    // MARK: The pairing window

    @Test func aWindowThatIsOverDoesNotOpenAgainIfTheClockIsSetBack() async throws {
        try world.pair(PanelWorld.id)
        world.advance(by: -86_400)
        world.restart()
        #expect(try await key().isEmpty)
        world.advance(by: 86_400)
        #expect(try await key().isEmpty == false)
        world.advance(by: 3_600)
        try world.pair()
        world.advance(by: 3_600)
        #expect(names("pairing.json").count == 1)
        let reader = try #require(PanelName(rawValue: "reader"))
        _ = world.panels.answer(.wake(reader, changes: BoardChanges()), at: world.now)
        #expect(names("pairing.json").isEmpty)
    }

    @Test func theWindowOfAPanelEndsWithTheFirstUseOfItsKey() async throws {
        try world.pair(PanelWorld.id)
        let given = try await key()
        #expect(try await display(given).filename.hasPrefix("screen-"))
        #expect(try await display("another").filename.hasPrefix("notice-"))
        #expect(try await key().isEmpty && names("pairing.json").isEmpty)
        // A panel whose key works may be reset and paired again, until it has used the new key.
        try world.pair(PanelWorld.id)
        #expect(try await display(given).filename.hasPrefix("screen-"))
        #expect(try await key().isEmpty == false)
        // One adopted key is the last one.
        #expect(try await display("former").filename.hasPrefix("screen-"))
        #expect(try await display("another").filename.hasPrefix("notice-"))
    }

    // MARK: Requests

    @Test func aRequestForTheHeadersIsNoWake() async throws {
        let key = try await paired()
        let wakes = try world.wall().wakes
        for route in world.routes where ["setUpPanel", "displayPanel", "getPanelPicture"].contains(route.id) {
            let headers = [WebHeader("ID", PanelWorld.id), WebHeader("Access-Token", key), WebHeader("Host", "a")]
            let head = WebRequest(method: "HEAD", path: route.path, headers: headers)
            let call = Call(request: head, parameters: [:], client: "192.0.2.7", token: nil)
            #expect(throws: Problem.self, "\(route.id)") { try route.handle(call) }
        }
        #expect(try world.wall().wakes == wakes)
    }

    @Test func aClockThatWasAheadLeavesNoNameOfTheFuture() async throws {
        let key = try await paired()
        world.advance(by: 10 * 86_400)
        try world.paint("kitchen", "two")
        _ = try await display(key)
        world.advance(by: -10 * 86_400)
        let epoch = try #require(Int64(try await display(key).filename.suffix(10)))
        #expect(epoch <= world.now.milliseconds / 1_000)
    }

    @Test func theLinesToAddHaveAFreeNameAndABoardOfTheConfiguration() throws {
        func lines(_ text: String) throws -> PanelNotice {
            let parts = try BoardWorld(text).gateway
            let sources = PanelPictures.Sources(
                board: { _ in nil },
                last: { _ in nil },
                draw: { _ throws(Problem) in throw .notFound("") }
            )
            return PanelPictures(sources, live: parts.live, metrics: parts.metrics)
                .notice(.unknown, for: PanelID(rawValue: Self.unknownID), width: nil, height: nil)
        }
        let boards = "boards: {desk: {model: trmnl-og, layout: full, cells: [{widget: a}]}}\n"
        let widgets = "widgets: {a: {kind: feed, source: push}}\n"
        let taken = try lines(boards + "panels: {hall: {board: desk}, hall-2: {board: desk}}\n" + widgets)
        #expect(taken.name == "hall-3" && taken.board == "desk")
        let empty = try lines(widgets)
        #expect(empty.name == "hall" && empty.board == nil)
    }
}
