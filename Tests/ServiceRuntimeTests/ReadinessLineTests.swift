// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing
import WidgetSchema

@testable import ServiceRuntime

@Suite struct ReadinessLineTests {
    @Test func aLineReadBackIsTheSame() throws {
        let line = ReadinessLine(
            service: "bus",
            instance: try #require(InstanceName(rawValue: "host-123")),
            values: ["publish": "tcp://127.0.0.1:5555", "folder": "/a b/100%\n=ü", "empty": ""]
        )
        let text = "ready bus host-123 empty= folder=/a%20b/100%25%0A=ü publish=tcp://127.0.0.1:5555"
        #expect(line.description == text)
        #expect(ReadinessLine(line.description + "\n") == line)
    }

    @Test(arguments: ["", "ready", "ready bus", "ready bus bad/name", "Ready bus a", "ready bus a =b", "ready bus a b"])
    func anythingElseIsNone(text: String) {
        #expect(ReadinessLine(text) == nil)
    }
}
