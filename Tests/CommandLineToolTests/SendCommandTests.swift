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

    @Test(arguments: [
        (["blog", "setExpandd", "true"], "did you mean 'setExpanded'?"),
        (["blog", "dance"], "there are setExpanded, performUpdate, refresh"),
        (["blog", "setExpanded"], "needs true or false"),
        (["blog", "setExpanded", "yes"], "not 'yes'"),
        (["blog", "refresh", "now"], "takes no argument"),
        (["Blog", "refresh"], "'Blog' is not a valid widget id"),
        (["blog", "refresh", "--counter", "-1"], "--counter"),
        (["blog", "refresh", "--client", ""], "--client"),
        (["blog"], "COMMAND is missing"),
    ])
    func aWrongCommandIsToldWithWhatWouldBeRight(_ arguments: [String], _ text: String) {
        #expect {
            try SendCommand.request(SendCommand.table.parse(arguments), environment: [:], now: Instant(milliseconds: 1))
        } throws: {
            $0 is UsageError && "\($0)".contains(text)
        }
    }
}
