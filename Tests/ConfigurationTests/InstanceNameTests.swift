// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing
import WidgetSchema

@testable import Configuration

@Suite struct InstanceNameTests {
    @Test(arguments: [
        ("web-1.example", "web-1.example-42"), ("", "host-42"), ("a b/ü", "a-b---42"),
        (String(repeating: "x", count: 300), String(repeating: "x", count: 100) + "-42"),
    ])
    func itIsMadeOfTheHostsNameAndTheProcess(host: String, name: String) {
        #expect(InstanceName(host: host, process: 42).rawValue == name)
    }

    @Test func itIsHostnamesOfTheEnvironmentFirst() {
        #expect(InstanceName.ofThisProcess(environment: ["HOSTNAME": "box"]).rawValue.hasPrefix("box-"))
        #expect(!InstanceName.ofThisProcess(environment: [:]).rawValue.hasPrefix("-"))
    }
}
