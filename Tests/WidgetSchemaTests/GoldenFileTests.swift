// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Testing
import WidgetSchema

/// Tests of the wire format as files, byte for byte: subscribers of other people rely on it.
///
/// The files are the only samples of the wire types; `Samples` reads them. After a change that is meant, or after a new
/// file was written by hand, `RECORD_GOLDEN_FILES=1 Scripts/test.sh --filter GoldenFileTests` writes them as the code does.
@Suite struct GoldenFileTests {
    @Test(arguments: GoldenFile.all)
    func aGoldenFileReadAndWrittenAgainHasTheSameBytes(_ golden: GoldenFile) throws {
        let bytes = try golden.bytes()
        if ProcessInfo.processInfo.environment["RECORD_GOLDEN_FILES"] != nil {
            try (golden.reencode(bytes) + Data("\n".utf8)).write(to: golden.sourceURL)
        }
        #expect(try golden.reencode(bytes) == bytes)
    }

    // Finds a key that reads and writes the property of another one.
    @Test(arguments: GoldenFile.all)
    func eachPropertyHasTheValueOfTheKeyWithItsName(_ golden: GoldenFile) throws {
        try Self.compare(golden.value, with: JSONValue(golden.bytes()), at: golden.name)
    }

    private static func compare(_ value: Any, with json: JSONValue, at place: String) throws {
        let mirror = Mirror(reflecting: value)
        for (index, child) in mirror.children.enumerated() {
            let field = child.label.flatMap { json[$0] }
            switch (mirror.displayStyle, json) {
            case (.struct, .object):
                // The offset of an event is two fields, and the body of a request is not a field of its own.
                guard let label = child.label, label != "offset" || json["epoch"] == nil else { continue }
                guard let field, let value = child.value as? any Encodable else {
                    if label == "body" { try compare(child.value, with: json, at: place) }
                    continue
                }
                #expect(try JSONValue(WireJSON.encode(value)) == field, "\(place).\(label)")
                try compare(child.value, with: field, at: "\(place).\(label)")
            case (.enum, _): try compare(child.value, with: field ?? json, at: place)
            case (.optional, _): try compare(child.value, with: json, at: place)
            case (.collection, .array(let elements)): try compare(child.value, with: elements[index], at: place)
            case (.dictionary, .object(let fields)):
                let (key, value) = try #require(child.value as? (key: any CustomStringConvertible, value: Any))
                try compare(value, with: #require(fields[key.description]), at: "\(place).\(key)")
            default: break
            }
        }
    }

    @Test func everyGoldenFileBelongsToAWireType() throws {
        let folder = GoldenFile.folder
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".json") }
        #expect(Set(files) == Set(GoldenFile.all.map { $0.name + ".json" }))
    }

    @Test func anEventIsNamedByItsTopicAndItsNumbers() throws {
        func expectSame<Payload>(_ golden: Event<Payload>, _ topic: Topic) throws {
            let time = try #require(Instant(golden.time))
            if let widget = golden.widget, let range = golden.range {
                let (offset, data) = (golden.offset, golden.data)
                #expect(Event(topic, widget: widget, range: range, offset: offset, time: time, data: data) == golden)
            } else {
                let counter = try #require(golden.id.split(separator: "-").last.flatMap { UInt64($0) })
                let (subject, data) = (golden.subject, golden.data)
                #expect(Event(topic, subject: subject, nonce: "n7", counter: counter, time: time, data: data) == golden)
            }
        }
        let widget = Samples.widget
        try expectSame(Samples.fetched, .fetched(Samples.source))
        try expectSame(Samples.refreshed, .refreshed(widget))
        try expectSame(Samples.laidOut, .laidOut(widget))
        try expectSame(Samples.layoutChanged, .layout(widget, on: Samples.phone))
        try expectSame(Samples.update, .update(.newData, widget))
        try expectSame(Samples.updateFailed, .update(.failed, widget))
        try expectSame(Samples.updateBlocked, .update(.noData, widget))
        try expectSame(Samples.cacheHeads, .heads(of: .cache))
        try expectSame(Samples.notifierHeads, .heads(of: .notifier))
        try expectSame(Samples.schedule, .schedule(of: .cache))
        try expectSame(Samples.health, .health(.cache, Samples.instance))
    }
}

/// One wire type and its file.
struct GoldenFile: Sendable, CustomTestStringConvertible {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")

    let name: String
    let value: any Sendable
    let reencode: @Sendable (Data) throws -> Data

    var testDescription: String { name }
    var sourceURL: URL { Self.folder.appending(path: name + ".json") }

    init<Value: Codable & Sendable>(_ name: String, _ type: Value.Type) {
        self.name = name
        value = Samples.read(type, name)
        reencode = { try WireJSON.encode(try WireJSON.decode(Value.self, from: $0)) }
    }

    /// Returns the file without the newline at its end.
    func bytes() throws -> Data {
        let file = try Data(contentsOf: sourceURL)
        return file.last == UInt8(ascii: "\n") ? file.dropLast() : file
    }

    private static func all<Value: Codable & Sendable>(_ type: Value.Type, _ names: String...) -> [GoldenFile] {
        names.map { GoldenFile($0, type) }
    }

    private static func requests<Body: RequestBody>(_ type: Body.Type, _ names: String...) -> [GoldenFile] {
        names.map { GoldenFile("request-" + $0, Request<Body>.self) }
    }

    private static func answers<Body: Codable & Hashable & Sendable>(
        _ type: Body.Type,
        _ names: String...
    ) -> [GoldenFile] {
        names.map { GoldenFile("answer-" + $0, Answer<Body>.self) }
    }

    static let all =
        all(Content.self, "content-feed", "content-keyvalue", "content-forecast")
        + all(Content.self, "content-quote", "content-documents", "content-json")
        + all(Event<Fetched>.self, "fetched", "fetched-failed")
        + all(Event<Refreshed>.self, "refreshed", "refreshed-failed", "refreshed-blocked", "refreshed-board")
        + all(Event<LaidOut>.self, "laidout", "laidout-failed", "laidout-blocked")
        + all(Event<LayoutChanged>.self, "layout")
        + all(Event<Update>.self, "update", "update-failed", "update-blocked", "update-board")
        + all(Event<BoardChange>.self, "board")
        + requests(DeliveriesRequest.self, "deliveries") + answers(DeliveriesAnswer.self, "deliveries")
        + requests(DeliverTestRequest.self, "delivertest") + answers(DeliverTestAnswer.self, "delivertest")
        + requests(DeviceRequest.self, "device", "device-browser", "device-remove")
        + answers(DeviceAnswer.self, "device") + requests(PushKeyRequest.self, "pushkey")
        + answers(PushKeyAnswer.self, "pushkey")
        + all(Event<CacheHeads>.self, "heads-cache") + all(Event<NotifierHeads>.self, "heads-notifier")
        + all(Event<SourceSchedule>.self, "schedule") + all(Event<Health>.self, "health")
        + requests(RegisterRequest.self, "register") + requests(LeaseRequest.self, "lease")
        + requests(ConfirmRequest.self, "confirm") + requests(PushRequest.self, "push", "push-remove")
        + requests(CommandRequest.self, "command-setexpanded", "command-performupdate")
        + requests(CommandRequest.self, "command-refresh", "command-nextvalue")
        + requests(ReplayRequest<Update>.self, "replay") + requests(UpdatesRequest.self, "replay-since")
        + requests(SnapshotRequest<Update>.self, "snapshot") + requests(TimelineRequest.self, "timeline")
        + requests(RenderRequest.self, "render", "render-png", "render-placeholder")
        + requests(BoardRequest.self, "renderboard") + answers(BoardAnswer.self, "renderboard")
        + requests(PreviewRequest.self, "preview") + requests(InspectRequest.self, "inspect")
        + requests(PanelsRequest.self, "panels", "panels-sleep") + answers(PanelReport.self, "panels")
        + requests(ReadRequest.self, "read", "read-base64") + requests(HealthRequest.self, "health")
        + answers(Done.self, "error", "done") + answers(LeaseAnswer.self, "lease")
        + answers(ConfirmAnswer.self, "confirm") + answers(CycleAnswer.self, "cycle")
        + requests(ShownRequest.self, "shown") + answers(ShownAnswer.self, "shown")
        + answers(Records<Refreshed>.self, "records-refreshed") + answers(Records<LaidOut>.self, "records-laidout")
        + answers(Records<Update>.self, "records-update") + answers(RenderAnswer.self, "render", "render-png")
        + answers(Timeline.self, "timeline") + answers(PreviewAnswer.self, "preview")
        + answers(InspectAnswer.self, "inspect", "inspect-feed", "inspect-problem")
        + answers(ReadAnswer.self, "read", "read-removed", "read-faults") + answers(HealthAnswer.self, "health")
}
