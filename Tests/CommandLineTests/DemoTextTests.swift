// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import MessageBus
import ServiceRuntime
import Testing
import WidgetSchema

@testable import CommandLine

@Suite struct DemoTextTests {
    @Test func theDemosConfigurationIsValid() throws {
        let configuration = try Configuration.parse(DemoText.configuration(feed: "http://127.0.0.1:4711/blog.xml"))
        #expect(configuration.widgets.map(\.id.rawValue) == [DemoText.widget])
        #expect(configuration.displays.map(\.name.rawValue) == ["phone-classic", "phone-compact", "phone-expanded"])
        #expect(configuration.warnings.isEmpty)
        #expect(
            CheckCommand.summary(configuration).hasPrefix("tidings.yml is valid: 1 widget, 1 source, 3 displays.\n")
        )
    }

    @Test func theIntroductionFitsATerminalAndNamesAnUnusualBus() throws {
        let text = { (bus: BusAddress) -> String in
            DemoText.introduction(
                feed: "http://127.0.0.1:65535/blog.xml",
                bus: bus,
                executable: ".build/x86_64-unknown-linux-gnu/release/tidings",
                style: .plain
            )
        }
        for line in text(.standard).split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
        #expect(!text(.standard).contains("TIDINGS_BUS"))
        #expect(text(try BusAddress("tcp://127.0.0.1:7000")).contains("  export TIDINGS_BUS=tcp://127.0.0.1:7000\n"))
    }

    @Test func theProgramIsCalledFromTheWorkingFolder() {
        #expect(DemoText.executable("tidings", path: "/opt/bin/tidings", workingFolder: "/home/a") == "tidings")
        #expect(
            DemoText.executable("/home/a/b/tidings", path: "/home/a/b/tidings", workingFolder: "/home/a") == "b/tidings"
        )
        #expect(DemoText.executable("/opt/tidings", path: "/opt/tidings", workingFolder: "/home/a") == "/opt/tidings")
    }
}
