// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing
import WidgetSchema

@Suite struct BusAddressesTests {
    @Test func oneAddressInEachFormIsOneBus() throws {
        for text in ["tcp://bus:5555", "ipc:///run/tidings", "tcp://a:1,ipc:///b,tcp://c:3"] {
            let addresses = try BusAddresses(text)
            #expect(addresses.all == [try BusAddress(text)])
            #expect(!addresses.hasSeveral)
        }
    }

    @Test func twoAddressesAreTwoBusesInTheirOrder() throws {
        let addresses = try BusAddresses("tcp://one:5555,ipc:///run/two")
        #expect(addresses.all == [try BusAddress("tcp://one:5555"), try BusAddress("ipc:///run/two")])
        #expect(addresses.hasSeveral)
        #expect(addresses.first == (try BusAddress("tcp://one:5555")))
    }

    @Test(arguments: ["tcp://one:5555", "tcp://one:5555,ipc:///run/two"])
    func theDescriptionIsAnAddressToo(_ text: String) throws {
        let addresses = try BusAddresses(text)
        #expect(try BusAddresses(addresses.description) == addresses)
    }

    @Test(arguments: [
        ("tcp://a:1,tcp://b:2,tcp://c:3,tcp://d:4", "has 4 parts"),
        ("tcp://a:1,", "must begin with"),
        ("tcp://a:1,tcp://a:1", "both buses have the same address"),
        ("tcp://a:1,tcp://b", "the address has no port"),
    ])
    func anErrorNamesTheTextAndTheProblem(_ text: String, _ problem: String) throws {
        let error = #expect(throws: BusAddressError.self) { try BusAddresses(text) }
        #expect(error?.description.contains(problem) == true, "\(String(describing: error))")
    }
}
