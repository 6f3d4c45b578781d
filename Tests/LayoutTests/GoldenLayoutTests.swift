// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Testing
import WidgetSchema

@testable import LayoutEngine
@testable import LayoutGallery

/// Layouts as files, so that a change of what is shown is a difference to read.
///
/// After a change that is meant, `RECORD_GOLDEN_FILES=1 Scripts/test.sh --filter GoldenLayoutTests` writes them anew, and
/// ``LayoutRenderer/version`` is raised. Texts are measured by the tests' typewriter, so that fonts do not matter.
@Suite struct GoldenLayoutTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")

    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let content: Content
        let display: Display
        var isExpanded = false

        var testDescription: String { name }
    }

    static func cases() throws -> [Case] {
        let contents: [Content] = [
            Sample.feed(7), Sample.facts, try Sample.forecast(), Sample.quotes, Sample.documents(6), Sample.list(7),
        ]
        let rectangle = try Sample.classic {
            $0.family = .accessoryRectangular
            $0.width = 160
            $0.maximumHeight = 72
            $0.scale = 3
            $0.insets = EdgeInsets()
        }
        let medium = try Sample.classic {
            $0.family = .systemMedium
            $0.width = 338
            $0.maximumHeight = 158
            $0.scale = 3
            $0.insets = EdgeInsets(top: 16, leading: 16, bottom: 16, trailing: 16)
        }
        let large = try Sample.today(.expanded) {
            $0.contentSizeCategory = .accessibilityMedium
            $0.compactHeight = 177
            $0.appearance = .dark
        }
        let panel = try Sample.panel(400, 300) { $0.panel = Panel(palette: .mono) }
        let touch = try Sample.panel(800, 480) { $0.panel = Panel(palette: .color, typeFactor: 1.25) }
        let place = try Sample.place()
        let cell = try Sample.panel(244, 158) {
            $0.locale = "ar_EG"
            $0.panel = Panel(palette: .mono, cell: BoardCell(place: place, header: .date))
        }
        let low = try Sample.panel(212, 104) { $0.panel = Panel(palette: .bwr) }
        var cases: [Case] = []
        for content in contents {
            let kind = content.kind.rawValue.lowercased()
            cases += [
                Case(name: "\(kind)-compact", content: content, display: try Sample.today(.compact)),
                Case(name: "\(kind)-expanded", content: content, display: try Sample.today(.expanded)),
                Case(name: "\(kind)-classic", content: content, display: try Sample.classic()),
                Case(name: "\(kind)-classic-more", content: content, display: try Sample.classic(), isExpanded: true),
                Case(name: "\(kind)-medium", content: content, display: medium),
                Case(name: "\(kind)-rectangular", content: content, display: rectangle),
                Case(name: "\(kind)-large-text", content: content, display: large),
                Case(
                    name: "\(kind)-arabic",
                    content: content,
                    display: try Sample.today(.expanded) { $0.locale = "ar_EG" }
                ),
                Case(name: "\(kind)-panel", content: content, display: panel),
                Case(name: "\(kind)-touch", content: content, display: touch),
                Case(name: "\(kind)-cell", content: content, display: cell),
                Case(name: "\(kind)-low", content: content, display: low),
            ]
        }
        return cases
    }

    @Test func everyLayoutIsThatOfItsFile() throws {
        let isRecording = ProcessInfo.processInfo.environment["RECORD_GOLDEN_FILES"] != nil
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        for one in try Self.cases() {
            let layout = try Sample.draw(one.content, on: one.display, expanded: one.isExpanded) {
                $0.definition.actions = Sample.actions
            }
            let file = Self.folder.appending(path: one.name + ".json")
            let bytes = try encoder.encode(layout) + Data("\n".utf8)
            if isRecording { try bytes.write(to: file) }
            let golden = try String(decoding: Data(contentsOf: file), as: UTF8.self)
            #expect(String(decoding: bytes, as: UTF8.self) == golden, "\(one.name).json")
            let check = LayoutCheck(display: one.display, definition: WidgetDefinition(kind: one.content.kind))
            #expect(check.problems(of: layout) == [], "\(one.name)")
        }
    }

    @Test func everyFileIsOfALayout() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        #expect(try Set(files) == Set(Self.cases().map { $0.name + ".json" }))
    }
}
