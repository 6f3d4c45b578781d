// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing

@testable import CommandLineTool

@Suite struct UpdateFilterTests {
    @Test(arguments: [
        (["update/"], ["heads/notifier/", "update/"]), (["update/newData/"], ["heads/notifier/", "update/"]),
        (
            ["update/newData/blog/"],
            ["heads/notifier/", "update/failed/blog/", "update/newData/blog/", "update/noData/blog/"]
        ),
    ])
    func everyResultOfWhatIsWantedIsSubscribedTo(_ prefixes: [String], _ expected: [String]) {
        #expect(UpdateFilter(prefixes)?.subscriptions == expected)
        #expect(UpdateFilter(prefixes + ["layout/"]) == nil)
    }
}
