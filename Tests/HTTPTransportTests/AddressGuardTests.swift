// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing
import WidgetSchema

@testable import HTTPTransport

@Suite struct AddressGuardTests {
    @Test(arguments: [
        "0.0.0.0", "0.255.255.255", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.127.255.255", "127.0.0.1",
        "127.255.255.254", "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.1", "192.0.2.1", "192.88.99.1",
        "192.168.0.1", "198.18.0.1", "198.19.255.255", "198.51.100.7", "203.0.113.9", "224.0.0.1", "239.255.255.255",
        "240.0.0.1", "255.255.255.255", "::", "::1", "::127.0.0.1", "::8.8.8.8", "::ffff:127.0.0.1", "::ffff:8.8.8.8",
        "::ffff:0:127.0.0.1", "64:ff9b::7f00:1", "64:ff9b::808:808", "64:ff9b:1::1", "100::1", "2001::1",
        "2001:0:7f00:1::1", "2001:10::1", "2001:20::1", "2001:db8::1", "2002:7f00:1::", "2002:808:808::1", "3fff::1",
        "3fff:fff::1", "4000::1", "5f00::1", "fc00::1", "fd12:3456::1", "fe80::1", "febf::1", "fec0::1", "ff02::1",
    ])
    func anAddressThatIsNotPublicIsRefused(text: String) throws {
        let address = try #require(IPAddress(text))
        #expect(AddressGuard.refusal(of: address) != nil)
    }

    @Test(arguments: [
        "1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255",
        "128.0.0.0", "169.253.255.255", "172.15.255.255", "172.32.0.0", "192.0.1.0", "192.167.255.255", "192.169.0.0",
        "198.17.255.255", "198.20.0.0", "223.255.255.255", "2001:200::1", "2001:4860:4860::8888", "2003::1",
        "2606:4700:4700::1111", "2a00:1450::1", "3ffe::1", "3fff:1000::1",
    ])
    func aPublicAddressIsAllowed(text: String) throws {
        let address = try #require(IPAddress(text))
        #expect(AddressGuard.refusal(of: address) == nil)
    }

    @Test(arguments: [
        ("127.0.0.1", true), ("10.1.2.3", true), ("192.168.1.1", true), ("172.20.0.1", true), ("100.64.0.1", true),
        ("::1", true), ("fd12:3456::1", true), ("8.8.8.8", true), ("169.254.169.254", false),
        ("100.100.100.200", false),
        ("fd00:ec2::254", false), ("0.0.0.0", false), ("224.0.0.1", false), ("255.255.255.255", false),
        ("fe80::1", false), ("::ffff:169.254.169.254", false), ("64:ff9b::a9fe:a9fe", false),
        ("2002:a9fe:a9fe::", false),
    ])
    func privateNetworksAreAllowedWithoutWhatCloudsHaveForTheirMachines(text: String, isAllowed: Bool) throws {
        let address = try #require(IPAddress(text))
        #expect((AddressGuard.refusal(of: address, allowPrivateNetworks: true) == nil) == isAllowed)
    }

    @Test(arguments: [
        "169.254.169.254", "169.254.170.2", "169.254.170.23", "169.254.42.42", "169.254.0.23", "168.63.129.16",
        "100.100.100.200", "192.0.0.192", "fd00:ec2::254", "fd00:ec2::23", "fd20:ce::254", "fd00:42::42",
        "fd00:c1::a9fe:a9fe", "fe80::a9fe:a9fe",
    ])
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
