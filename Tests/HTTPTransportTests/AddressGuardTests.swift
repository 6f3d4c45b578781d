// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Testing
import WidgetSchema

@testable import HTTPTransport

@Suite struct AddressGuardTests {
    private static let groups: [String: [String]] = {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/addresses.json")
        return (try? JSONDecoder().decode([String: [String]].self, from: Data(contentsOf: file))) ?? [:]
    }()

    /// Returns a group of `Fixtures/addresses.json`.
    private static func addresses(_ group: String) -> [String] { groups[group] ?? [] }

    @Test(arguments: addresses("not public"))
    func anAddressThatIsNotPublicIsRefused(text: String) throws {
        #expect(AddressGuard.refusal(of: try #require(IPAddress(text))) != nil)
    }

    @Test(arguments: addresses("public"))
    func aPublicAddressIsAllowed(text: String) throws {
        #expect(AddressGuard.refusal(of: try #require(IPAddress(text))) == nil)
    }

    @Test(arguments: addresses("private"))
    func privateNetworksAreAllowed(text: String) throws {
        #expect(AddressGuard.refusal(of: try #require(IPAddress(text)), allowPrivateNetworks: true) == nil)
    }

    @Test(arguments: addresses("refused in private networks"))
    func whatCloudsHaveForTheirMachinesIsNoPrivateNetwork(text: String) throws {
        #expect(AddressGuard.refusal(of: try #require(IPAddress(text)), allowPrivateNetworks: true) != nil)
    }

    @Test(arguments: addresses("metadata"))
    func aCloudsMetadataIsRefusedByItsNameAlsoInPrivateNetworks(text: String) throws {
        let address = try #require(IPAddress(text))
        for allows in [false, true] {
            let reason = AddressGuard.refusal(of: address, allowPrivateNetworks: allows)
            #expect(reason?.hasPrefix("instance metadata of ") == true)
        }
    }

    @Test func anAddressThatTheOperatorHasNamedIsAllowedAndNoOther() throws {
        let named = try #require(IPAddress("169.254.169.254"))
        #expect(AddressGuard.refusal(of: named, allowed: [named]) == nil)
        for text in ["169.254.169.253", "::ffff:169.254.169.254", "127.0.0.1", "fd00:ec2::254"] {
            #expect(AddressGuard.refusal(of: try #require(IPAddress(text)), allowed: [named]) != nil, "\(text)")
        }
    }

    @Test func everyRangeOfTheListIsReadable() {
        #expect(AddressGuard.refusedRangeCount == 33)
        #expect(AddressGuard.metadataServiceCount == 13)
        #expect(Self.groups.values.reduce(0) { $0 + $1.count } == 107, "the addresses of these tests")
    }

    @Test(arguments: ["", "localhost", "1.2.3", "1.2.3.4.5", "256.1.1.1", "[::1]", "fe80::1%eth0", "01.2.3.4 "])
    func whatIsNoAddressIsNotRead(text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test func anAddressIsWrittenAsItIsRead() {
        for text in ["192.0.2.7", "2001:db8::7", "::1"] {
            #expect(IPAddress(text)?.description == text)
        }
    }

    @Test func aPrefixThatEndsWithinAByteIsRespected() throws {
        let range = try #require(IPRange("172.16.0.0/12"))
        #expect(range.contains(try #require(IPAddress("172.31.255.255"))))
        #expect(!range.contains(try #require(IPAddress("172.32.0.0"))))
        #expect(IPRange("10.0.0.0/33") == nil)
        #expect(IPRange("10.0.0.0/x") == nil)
    }
}
