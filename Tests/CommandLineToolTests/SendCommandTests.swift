// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CommandOptions
import Testing
import WidgetSchema

@testable import CommandLineTool

/// Tests of the requests that `tidings send` makes from its arguments.
@Suite struct SendCommandTests {
    private func request(_ arguments: String...) throws -> CommandRequest {
        try SendCommand.request(
            SendCommand.table.parse(arguments),
            environment: ["USER": "ann"],
            now: Instant(milliseconds: 1_763_683_200_123)
        )
    }

    @Test func targetsAreAbsolute() throws {
        #expect(try request("blog", "setExpanded", "true").command == .setExpanded(true))
        #expect(try request("blog", "setExpanded", "false").command == .setExpanded(false))
        #expect(try request("blog", "refresh").command == .refresh)
        #expect(try request("blog", "performUpdate").command == .performUpdate)
    }

    @Test func eachCallIsANewCommandOfTheSameClient() throws {
        let first = try request("blog", "refresh")
        #expect(first.counter == 1_763_683_200_123)
        #expect(first.client.hasPrefix("tidings-ann@"))
        #expect(try request("blog", "refresh").client == first.client)
        let named = try request("blog", "refresh", "--client", "phone", "--counter", "7")
        #expect(named.client == "phone")
        #expect(named.counter == 7)
    }
}
