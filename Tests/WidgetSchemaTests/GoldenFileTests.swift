// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Testing
import WidgetSchema

/// Tests of the wire format as files, byte for byte: subscribers of other people rely on it.
///
/// After a change that is meant, `RECORD_GOLDEN_FILES=1 swift test --filter GoldenFileTests` writes them anew; the
/// difference is then for the reviewer to read.
@Suite struct GoldenFileTests {
    @Test(arguments: GoldenFile.all)
    func aGoldenFileReadAndWrittenAgainHasTheSameBytes(_ golden: GoldenFile) throws {
        if ProcessInfo.processInfo.environment["RECORD_GOLDEN_FILES"] != nil {
            try (golden.sample() + Data("\n".utf8)).write(to: golden.sourceURL)
        }
        let file = try Data(contentsOf: golden.sourceURL)
        let bytes = file.last == UInt8(ascii: "\n") ? file.dropLast() : file
        #expect(try golden.reencode(bytes) == bytes)
        #expect(try golden.sample() == bytes, "the sample and \(golden.name).json differ")
    }

    @Test func everyGoldenFileBelongsToAWireType() throws {
        let folder = GoldenFile.folder
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".json") }
        #expect(Set(files) == Set(GoldenFile.all.map { $0.name + ".json" }))
    }
}

/// One wire type: its file, how to read and write it, and a value.
struct GoldenFile: Sendable, CustomTestStringConvertible {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")

    let name: String
    let value: any Sendable
    let sample: @Sendable () throws -> Data
    let reencode: @Sendable (Data) throws -> Data

    var testDescription: String { name }
    var sourceURL: URL { Self.folder.appending(path: name + ".json") }

    init<Value: Codable & Sendable>(_ name: String, _ value: Value) {
        self.name = name
        self.value = value
        sample = { try WireJSON.encode(value) }
        reencode = { try WireJSON.encode(try WireJSON.decode(Value.self, from: $0)) }
    }

    static let all = events + requests + answers

    static let events = [
        GoldenFile("content-feed", Samples.content),
        GoldenFile("content-keyvalue", Samples.keyValue),
        GoldenFile("content-forecast", Samples.forecast),
        GoldenFile("content-quote", Samples.quote),
        GoldenFile("content-documents", Samples.documents),
        GoldenFile("content-json", Samples.rows),
        GoldenFile("fetched", Samples.fetched),
        GoldenFile("fetched-failed", Samples.fetchedFailed),
        GoldenFile("refreshed", Samples.refreshed),
        GoldenFile("refreshed-failed", Samples.refreshedFailed),
        GoldenFile("refreshed-blocked", Samples.refreshedBlocked),
        GoldenFile("laidout", Samples.laidOut),
        GoldenFile("laidout-failed", Samples.laidOutFailed),
        GoldenFile("laidout-blocked", Samples.laidOutBlocked),
        GoldenFile("layout", Samples.layoutChanged),
        GoldenFile("update", Samples.update),
        GoldenFile("update-failed", Samples.updateFailed),
        GoldenFile("update-blocked", Samples.updateBlocked),
        GoldenFile("heads-cache", Samples.cacheHeads),
        GoldenFile("heads-notifier", Samples.notifierHeads),
        GoldenFile("schedule", Samples.schedule),
        GoldenFile("health", Samples.health),
    ]

    private static let removal = {
        var request = PushRequest(client: "script", counter: 2, widget: Samples.widget, removing: ["doc-1", "doc-2"])
        (request.hasContent, request.bodyDigest) = (true, Samples.digest)
        return request
    }()

    static let requests = [
        request(
            "request-register",
            RegisterRequest(service: .cache, instance: Samples.instance, health: Samples.healthState)
        ),
        request(
            "request-lease",
            LeaseRequest(slots: 64, unacknowledged: [Samples.lease], givenBack: [], parserVersion: 1)
        ),
        request(
            "request-confirm",
            ConfirmRequest(
                widgets: [Samples.widget: ConfirmRequest.Cycle(sequence: Samples.sequence, committed: Samples.answered)]
            )
        ),
        command("setexpanded", .setExpanded(true)),
        command("performupdate", .performUpdate),
        command("refresh", .refresh),
        command("nextvalue", .nextValue, display: Samples.phone),
        request(
            "request-push",
            PushRequest(
                client: "script",
                counter: 1,
                widget: Samples.widget,
                content: Samples.content,
                hasContent: true,
                bodyDigest: Samples.digest
            )
        ),
        request(
            "request-push-remove",
            removal
        ),
        request("request-replay", ReplayRequest<Update>(from: [Samples.widget: Samples.sequence])),
        request("request-replay-since", UpdatesRequest(since: Samples.offset)),
        request("request-snapshot", SnapshotRequest<Update>(widgets: [Samples.widget], after: Samples.widget)),
        request(
            "request-render",
            RenderRequest(widget: Samples.widget, display: Samples.phone, sequence: Samples.sequence)
        ),
        request(
            "request-render-png",
            RenderRequest(
                widget: Samples.widget,
                display: Samples.phone,
                format: .png,
                appearance: .dark,
                contentSizeCategory: .extraLarge,
                direction: .rightToLeft,
                panel: PanelSize(width: 800, height: 480, scale: 1)
            )
        ),
        request(
            "request-render-placeholder",
            RenderRequest(
                widget: Samples.widget,
                display: Samples.phone,
                placeholder: RenderRequest.Placeholder(
                    definition: WidgetDefinition(kind: .quote),
                    display: Samples.display
                )
            )
        ),
        request("request-timeline", TimelineRequest(widget: Samples.widget, display: Samples.phone)),
        request(
            "request-preview",
            PreviewRequest(
                definition: WidgetDefinition(kind: .feed),
                content: Samples.content,
                displays: [Samples.display]
            )
        ),
        request("request-health", HealthRequest()),
    ]

    static let answers = [
        GoldenFile("answer-error", Answer<Done>.error(RequestError(.notFound, "There is no widget 'blgo'."))),
        GoldenFile("answer-done", Answer<Done>.result(Done())),
        GoldenFile(
            "answer-lease",
            Answer<LeaseAnswer>.result(LeaseAnswer(leases: [Samples.openLease], open: [Samples.lease]))
        ),
        GoldenFile(
            "answer-confirm",
            Answer<ConfirmAnswer>.result(
                ConfirmAnswer(heads: [Samples.widget: Samples.sequence], raised: [Samples.widget])
            )
        ),
        GoldenFile(
            "answer-cycle",
            Answer<CycleAnswer>.result(CycleAnswer(widget: Samples.widget, sequence: Samples.sequence))
        ),
        GoldenFile(
            "answer-records-refreshed",
            Answer<Records<Refreshed>>.result(
                Records(records: [Samples.refreshed], contents: [Samples.contentReference], more: true)
            )
        ),
        GoldenFile(
            "answer-records-laidout",
            Answer<Records<LaidOut>>.result(Records(records: [Samples.laidOut], more: false))
        ),
        GoldenFile(
            "answer-records-update",
            Answer<Records<Update>>.result(Records(records: [Samples.update], more: false, end: Samples.offset))
        ),
        GoldenFile(
            "answer-render",
            Answer<RenderAnswer>.result(
                RenderAnswer(
                    widget: Samples.widget,
                    display: Samples.phone,
                    sequence: Samples.sequence,
                    digest: Samples.digest,
                    layout: Samples.layout,
                    engine: LayoutEngineVersion(version: 1, fonts: Samples.digest),
                    family: .today,
                    scale: 2
                )
            )
        ),
        GoldenFile(
            "answer-render-png",
            Answer<RenderAnswer>.result(
                RenderAnswer(
                    widget: Samples.widget,
                    display: Samples.phone,
                    sequence: Samples.sequence,
                    digest: Samples.digest,
                    picture: RenderedPicture(format: .png, width: 718, height: 320, bytes: 20_480),
                    engine: LayoutEngineVersion(version: 1),
                    family: .today,
                    scale: 2
                )
            )
        ),
        GoldenFile(
            "answer-timeline",
            Answer<Timeline>.result(
                Timeline(
                    entries: [
                        Timeline.Entry(date: Samples.answered, digest: Samples.digest, layout: Samples.layout)
                    ],
                    policy: .after,
                    date: Samples.answered
                )
            )
        ),
        GoldenFile(
            "answer-preview",
            Answer<PreviewAnswer>.result(
                PreviewAnswer(layouts: [
                    PreviewAnswer.Entry(display: Samples.phone, digest: Samples.digest, layout: Samples.layout)
                ])
            )
        ),
        GoldenFile(
            "answer-health",
            Answer<HealthAnswer>.result(
                HealthAnswer(service: .cache, instance: Samples.instance, health: Samples.healthState)
            )
        ),
    ]

    private static func request<Body: RequestBody>(_ name: String, _ body: Body) -> GoldenFile {
        GoldenFile(name, Request(body, deadlineMilliseconds: 2000))
    }

    private static func command(_ name: String, _ command: Command, display: DisplayName? = nil) -> GoldenFile {
        request(
            "request-command-\(name)",
            CommandRequest(
                client: "phone-of-ada",
                counter: 12,
                widget: Samples.widget,
                command: command,
                display: display
            )
        )
    }
}
