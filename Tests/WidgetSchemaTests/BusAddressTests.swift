// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing
import WidgetSchema

@Suite struct BusAddressTests {
    @Test(arguments: [("bus.example:5555", [5555, 5556, 5557]), ("127.0.0.1:0", [0, 0, 0])])
    func aPortNamesThreeAndZeroStaysZero(place: String, ports: [UInt16]) throws {
        let address = try BusAddress("tcp://\(place)")
        let host = String(place.prefix { $0 != ":" })
        #expect([address.publish, address.subscribe, address.request] == ports.map { .tcp(host: host, port: $0) })
    }

    @Test func aFolderHoldsThreeSockets() throws {
        let address = try BusAddress("ipc:///run/tidings/")
        let sockets = ["publish", "subscribe", "request"].map { "ipc:///run/tidings/\($0)" }
        #expect(address.endpoints.map(\.description) == sockets)
    }

    @Test(arguments: ["tcp://127.0.0.1:7000", "tcp://[::1]:7000", "ipc:///tmp/x", "tcp://a:1,tcp://b:2,ipc:///c"])
    func itsTextNamesTheSameAddress(text: String) throws {
        let address = try BusAddress(text)
        #expect(try BusAddress(address.description) == address)
    }

    @Test(arguments: [
        ("", "must begin with"), ("localhost:5555", "must begin with"), ("tcp://localhost", "the address has no port"),
        ("tcp://localhost:x", "the port 'x' is not a number from 0 to 65535"),
        ("tcp://localhost:65536", "the port '65536' is not a number from 0 to 65535"),
        ("tcp://localhost:65534", "the two ports after 65534"), ("tcp://:5555", "the address has no host"),
        ("tcp://::1:5555", "in brackets"), ("ipc://", "the address names no folder"),
        ("tcp://a:1,tcp://b:2", "2 endpoints"),
        ("ipc:///\(String(repeating: "x", count: 107))", "more than 107 bytes"),
    ])
    func aWrongAddressSaysWhatIsWrong(text: String, problem: String) {
        let error = #expect(throws: BusAddressError.self) { try BusAddress(text) }
        #expect(error?.description.contains(problem) == true)
    }

    @Test(arguments: [
        ("tcp://127.0.0.1:5555", true), ("tcp://127.1.2.3:5555", true), ("tcp://localhost:5555", true),
        ("tcp://[::1]:5555", true), ("ipc:///tmp/x", true), ("tcp://*:5555", false), ("tcp://0.0.0.0:5555", false),
        ("tcp://127.0.0.1.example.org:5555", false), ("tcp://[::]:5555", false), ("tcp://bus:5555", false),
    ])
    func onlyLoopbackAndFoldersAreLocal(text: String, isLocal: Bool) throws {
        #expect(try BusAddress(text).endpoints.allSatisfy(\.isLocal) == isLocal)
    }
}
