// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import Foundation
import ServiceRuntime
import Testing
import WidgetSchema

@testable import CommandLineTool

@Suite struct DemoTextTests {
    @Test func theDemosConfigurationIsValid() throws {
        let text = DemoText.configuration(origin: { "http://127.0.0.1:4711\($0)" }, timeZone: "GMT+0537")
        let configuration = try TidingsConfiguration.parse(text)
        #expect(Set(configuration.widgets.map(\.definition.kind)) == Set(WidgetKind.allCases))
        for id in [DemoText.widget, DemoText.place, DemoText.documents] {
            #expect(configuration.widgets.contains { $0.id.rawValue == id })
        }
        let cells = configuration.boards.flatMap { $0.cells.map(\.display.rawValue) }
        #expect(cells.count == 5)
        #expect(
            configuration.displays.map(\.name.rawValue).filter { !cells.contains($0) } == [
                "phone-classic", "phone-compact", "phone-expanded",
            ]
        )
        #expect(configuration.warnings.isEmpty)
        let summary = CheckCommand.summary(configuration, lists: true)
        #expect(summary.hasPrefix("tidings.yml is valid: 6 widgets, 5 sources, 3 displays, 1 board, 1 destination.\n"))
    }

    @Test func sourcesAreThoseOfTheCache() throws {
        func widget(_ header: String) -> String {
            "{kind: feed, interval: 90s, source: {url: 'https://a.example/', headers: {\(header): b}}}"
        }
        let text = "widgets:\n  a: \(widget("Accept"))\n  b: \(widget("accept"))\n"
        let configuration = try TidingsConfiguration.parse(text)
        let summary = CheckCommand.summary(configuration, lists: true)
        #expect(summary.contains("2 widgets, 1 source,") && summary.contains(", interval 90s\n"))
        #expect(SourceCheck(configuration).targets.count == 1)
    }

    /// Returns the configuration of the demo, and that of the repository.
    private static func configurations() throws -> [TidingsConfiguration] {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../tidings.yml")
        let made = DemoText.configuration(origin: { "http://127.0.0.1:4711\($0)" }, timeZone: "UTC")
        return try [made, String(contentsOf: file, encoding: .utf8)].map { try TidingsConfiguration.parse($0) }
    }

    @Test func noWidgetShowsTheRawKeysOfItsDocument() throws {
        for configuration in try Self.configurations() {
            for widget in configuration.widgets {
                #expect(widget.definition.name?.first?.isUppercase == true, "\(widget.id)")
                #expect(widget.definition.kind != .keyValue || !widget.parsing.options.isEmpty)
                #expect(widget.interval >= widget.minimumInterval)
            }
        }
    }

    // The gateway removes links of other schemes.
    @Test func theLinksOfTheDemosAppCanBeFollowed() throws {
        for configuration in try Self.configurations() {
            let links = configuration.widgets.flatMap { $0.definition.actions ?? [] }.map(\.url)
            #expect(links.count == 3)
            for link in links { #expect(configuration.gateway.linkSchemes.contains { link.hasPrefix($0 + "://") }) }
        }
        var app = DemoApp(start: .now)
        guard case .opens(let opened) = app.play(at: .now, date: .now) else {
            Issue.record("the app opens no document")
            return
        }
        #expect(!opened.documents.isEmpty)
        for document in opened.documents { #expect(document.link?.hasPrefix(DemoApp.linkScheme + "://") == true) }
    }

    @Test func theIntroductionFitsATerminalAndNamesAnUnusualBus() throws {
        let text = { (bus: BusAddress, columns: Int) -> String in
            DemoText.introduction(
                of: DemoAddresses(gateway: "127.0.0.1:8080", token: nil, origin: "http://127.0.0.1:65535/"),
                bus: bus,
                executable: ".build/x86_64-unknown-linux-gnu/release/tidings",
                terminal: Terminal(columns: columns, style: .plain)
            )
        }
        for line in text(.standard, 80).split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
        // Commands are not broken.
        for line in text(.standard, 50).split(separator: "\n") where !line.contains(".build/") && !line.contains("http")
        {
            #expect(line.count <= 50, "\(line)")
        }
        #expect(text(.standard, 80).hasPrefix("Open http://127.0.0.1:8080/ in a browser"))
        #expect(!text(.standard, 80).contains("TIDINGS_BUS"))
        let other = text(try BusAddress("tcp://127.0.0.1:7000"), 80)
        #expect(other.contains("  export TIDINGS_BUS=tcp://127.0.0.1:7000\n"))
        #expect(!other.contains("Sign in"))
    }

    @Test(arguments: [("0.0.0.0:8080", "127.0.0.1:8080"), ("[::]:80", "[::1]:80"), ("10.0.0.0:80", "10.0.0.0:80")])
    func anOpenDemoSaysHowToSignIn(_ gateway: String, _ shown: String) {
        let text = DemoText.introduction(
            of: DemoAddresses(gateway: gateway, token: "tdg_abc", origin: "http://127.0.0.1:1/"),
            bus: .standard,
            executable: "tidings",
            terminal: Terminal(columns: 80, style: .plain)
        )
        let start = "Open http://\(shown)/ in a browser to see the widgets.\n"
        let board = "http://\(shown)/boards/kitchen.png?token=tdg_abc is a board for electronic paper.\n"
        #expect(text.hasPrefix(start + "Other machines reach it, too. Sign in with tdg_abc\n\(board)\nA small blog"))
    }

    @Test func theProgramIsCalledFromTheWorkingFolder() {
        #expect(DemoText.executable("tidings", path: "/opt/bin/tidings", workingFolder: "/home/a") == "tidings")
        #expect(
            DemoText.executable("/home/a/b/tidings", path: "/home/a/b/tidings", workingFolder: "/home/a") == "b/tidings"
        )
        #expect(DemoText.executable("/opt/tidings", path: "/opt/tidings", workingFolder: "/home/a") == "/opt/tidings")
    }
}
