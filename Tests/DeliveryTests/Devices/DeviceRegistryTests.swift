// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Testing
import WidgetSchema

@testable import Delivery

@Suite struct DeviceRegistryTests {
    private let start = PushSamples.time

    @Test func aDeviceIsStoredAndRemovedByItsOwnerAlone() throws {
        var registry = DeviceRegistry(now: start)
        let reply = registry.handle(try request("a"), now: start)
        let device = Device(id: try id("a"), owner: "owner", registration: try registration(), registered: start)
        #expect(reply.changes == [.store(device)])
        #expect(try reply.answer.get().expires == start.advanced(by: .seconds(60 * 24 * 3_600)))
        for registration in [nil, try registration(token: "cd")] {
            let foreign = DeviceRequest(device: try id("a"), owner: "other", registration: registration)
            let reply = registry.handle(foreign, now: start)
            #expect(throws: RequestError.self) { try reply.answer.get() }
            #expect(reply.changes.isEmpty)
        }
        let removal = DeviceRequest(device: try id("a"), owner: "owner")
        #expect(registry.handle(removal, now: start).changes == [.remove(try id("a"))])
        #expect(code(registry.handle(removal, now: start)) == .notFound)
        #expect(registry.devices.isEmpty)
        #expect(registry.nextExpiry == nil)
    }

    @Test func aNewAccessTokenTakesOverADeviceWithTheSameAddress() throws {
        var registry = DeviceRegistry(now: start)
        _ = registry.handle(try request("a"), now: start)
        let reply = registry.handle(try request("a", owner: "renewed"), now: start)
        #expect(try reply.answer.get().expires != nil)
        #expect(registry.devices[try id("a")]?.owner == "renewed")
        #expect(code(registry.handle(DeviceRequest(device: try id("a"), owner: "owner"), now: start)) == .refused)
        let removal = DeviceRequest(device: try id("a"), owner: "renewed")
        #expect(registry.handle(removal, now: start).changes == [.remove(try id("a"))])
    }

    @Test func anAddressBelongsToTheDeviceThatRegisteredItLast() throws {
        var registry = DeviceRegistry(now: start)
        _ = registry.handle(try request("old"), now: start)
        let reply = registry.handle(try request("new", owner: "another"), now: start)
        #expect(reply.changes.first == .remove(try id("old")))
        #expect(registry.devices.keys.map(\.rawValue) == ["new"])
        // A device may change its own address, and the old one is then free.
        _ = registry.handle(try request("new", owner: "another", token: "cd"), now: start)
        _ = registry.handle(try request("third"), now: start)
        #expect(registry.devices.count == 2)
    }

    @Test func theSameTokenOfAnotherKindOrAppIsAnotherAddress() throws {
        var registry = DeviceRegistry(now: start)
        let tokens: [APNsRegistration] = [
            PushSamples.apns(), PushSamples.apns(String(repeating: "ab", count: 32), .background),
            APNsRegistration(
                push: .widgets,
                token: String(repeating: "ab", count: 32),
                bundle: "org.example.News",
                environment: .sandbox
            ),
        ]
        for (number, apns) in tokens.enumerated() {
            let request = DeviceRequest(
                device: try id("d\(number)"),
                owner: "owner",
                registration: DeviceRegistration(address: .apns(apns))
            )
            #expect(try registry.handle(request, now: start).answer.get().expires != nil)
        }
        #expect(registry.devices.count == 3)
    }

    @Test func tenThousandDevicesAreTheMaximum() throws {
        let stored = try (0..<DeviceLimits.maximumDevices).map { number in
            Device(
                id: try id("d\(number)"),
                owner: number < DeviceLimits.maximumDevicesOfOwner ? "owner" : "another",
                registration: try registration(token: String(number + 100_000_000_000_000_000, radix: 10)),
                registered: start
            )
        }
        var registry = DeviceRegistry(stored, now: start)
        #expect(registry.devices.count == 10_000)
        #expect(code(registry.handle(try request("more"), now: start)) == .refused)
        let renewal = DeviceRequest(device: stored[5].id, owner: "owner", registration: stored[5].registration)
        #expect(try registry.handle(renewal, now: start.advanced(by: .seconds(1))).answer.get().expires != nil)
        _ = registry.handle(DeviceRequest(device: stored[6].id, owner: "owner"), now: start)
        #expect(try registry.handle(try request("more"), now: start).answer.get().expires != nil)
    }

    @Test func oneAccessTokenCannotFillAllPlaces() throws {
        let stored = try (0..<DeviceLimits.maximumDevicesOfOwner).map { number in
            Device(
                id: try id("d\(number)"),
                owner: "owner",
                registration: try registration(token: String(number + 100_000_000_000_000_000, radix: 10)),
                registered: start
            )
        }
        var registry = DeviceRegistry(stored, now: start)
        #expect(code(registry.handle(try request("more"), now: start)) == .refused)
        let renewal = DeviceRequest(device: stored[5].id, owner: "owner", registration: stored[5].registration)
        #expect(try registry.handle(renewal, now: start).answer.get().expires != nil)
        let again = DeviceRequest(device: try id("again"), owner: "owner", registration: stored[6].registration)
        #expect(try registry.handle(again, now: start).answer.get().expires != nil, "it replaces another one")
        #expect(try registry.handle(try request("more", owner: "another"), now: start).answer.get().expires != nil)
    }

    @Test func aDeviceExpiresSixtyDaysAfterItsLastRegistration() throws {
        var registry = DeviceRegistry(now: start)
        _ = registry.handle(try request("a"), now: start)
        _ = registry.handle(try request("b", token: "cd"), now: start)
        let later = start.advanced(by: .seconds(30 * 24 * 3_600))
        _ = registry.handle(try request("a"), now: later)
        let end = start.advanced(by: DeviceLimits.lifetime)
        #expect(registry.expire(now: end.advanced(byMilliseconds: -1)).isEmpty)
        #expect(registry.expire(now: end) == [.remove(try id("b"))])
        #expect(registry.nextExpiry == later.advanced(by: DeviceLimits.lifetime))
        #expect(registry.expire(now: later.advanced(by: DeviceLimits.lifetime)) == [.remove(try id("a"))])
    }

    @Test func aClockThatIsSetExpiresNoDevice() throws {
        var registry = DeviceRegistry(now: start)
        _ = registry.handle(try request("a"), now: start)
        let year = Duration.seconds(365 * 24 * 3_600)
        #expect(registry.shift(by: year).count == 1)
        #expect(registry.expire(now: start.advanced(by: year)).isEmpty)
        // A stored registration from a clock that was ahead counts as one of now.
        let stored = Array(registry.devices.values)
        #expect(DeviceRegistry(stored, now: start).devices.values.map(\.registered) == [start])
    }

    @Test func aRejectedTokenIsRemovedUnlessTheDeviceHasRegisteredSince() throws {
        var registry = DeviceRegistry(now: start)
        _ = registry.handle(try request("a"), now: start)
        let later = start.advanced(by: .seconds(5))
        _ = registry.handle(try request("a", token: "cd"), now: later)
        #expect(registry.removeRejected(try id("a"), registered: start).isEmpty)
        #expect(registry.removeRejected(try id("a"), registered: later) == [.remove(try id("a"))])
        #expect(registry.removeRejected(try id("a"), registered: later).isEmpty)
    }

    @Test(arguments: [
        #"{"kind":"apns","push":"widgets","token":"zz","bundle":"org.example.A"}"#,
        #"{"kind":"apns","push":"widgets","token":"abc","bundle":"org.example.A"}"#,
        #"{"kind":"apns","push":"widgets","token":"abcdef0123456789","bundle":"org"}"#,
        #"{"kind":"apns","push":"widgets","token":"abcdef0123456789","bundle":"org..A"}"#,
        #"{"kind":"apns","push":"widgets","token":"abcdef0123456789","bundle":"org.a/../b"}"#,
        #"{"kind":"apns","push":"widgets","token":"abcdef0123456789","bundle":"org.example.A","widgets":[]}"#,
        #"{"kind":"webPush","subscription":{"endpoint":"http://a/b","keys":{"p256dh":"","auth":""}}}"#,
        #"{"kind":"webPush","subscription":{"endpoint":"https://a.example/b","keys":{"p256dh":"AAAA","auth":"AAAA"}}}"#,
    ])
    func anInvalidRegistrationIsRejectedWithoutItsSecret(json: String) throws {
        var registry = DeviceRegistry(now: start)
        let registration = try WireJSON.decode(DeviceRegistration.self, from: Data(json.utf8))
        let reply = registry.handle(
            DeviceRequest(device: try id("a"), owner: "owner", registration: registration),
            now: start
        )
        #expect(code(reply) == .malformed)
        #expect(reply.changes.isEmpty)
        #expect(!"\(reply)".contains("abcdef"))
    }

    @Test(arguments: [
        #"{"kind":"pager"}"#, #"{"kind":"apns","push":"widgets","bundle":"org.example.A"}"#,
        #"{"kind":"apns","push":"alert","token":"ab","bundle":"org.example.A"}"#,
        #"{"kind":"webPush","token":"ab"}"#,
        #"{"kind":"apns","push":"widgets","token":"ab","bundle":"a.b","widgets":["No Widget"]}"#,
        #"{"kind":"apns","push":"widgets","token":"ab","bundle":"a.b","widget":["news"]}"#,
    ])
    func aBodyOfAnotherFormIsNotRead(json: String) {
        #expect(throws: WireError.self) { try DeviceRegistration.read(Data(json.utf8)) }
    }

    @Test func aSubscriptionAsABrowserWritesItIsRead() throws {
        let json = """
            {"kind":"webPush","subscription":{"endpoint":"https://push.example.org/x","expirationTime":null,"keys":{
            "p256dh":"BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
            "auth":"BTBZMqHH6r4Tts7J_aSIgg"}},"notify":["news"]}
            """
        let registration = try DeviceRegistration.read(Data(json.utf8))
        #expect(DeviceCheck.problem(of: registration) == nil)
        #expect(try WireJSON.decode(DeviceRegistration.self, from: WireJSON.encode(registration)) == registration)
    }

    @Test func deviceIDsAreThoseOfAppsAndPages() {
        for text in ["E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "a", "phone_1.2", String(repeating: "x", count: 64)] {
            #expect(DeviceID(rawValue: text) != nil)
        }
        for text in ["", "-a", "a/b", "a b", "..", "é", String(repeating: "x", count: 65)] {
            #expect(DeviceID(rawValue: text) == nil, "\(text)")
        }
    }

    private func id(_ text: String) throws -> DeviceID { try #require(DeviceID(rawValue: text)) }

    private func registration(token: String = "ab") throws -> DeviceRegistration {
        let digits = token.count > 2 ? token : String(repeating: token, count: 32)
        return DeviceRegistration(address: .apns(PushSamples.apns(digits)))
    }

    private func request(_ device: String, owner: String = "owner", token: String = "ab") throws -> DeviceRequest {
        DeviceRequest(device: try id(device), owner: owner, registration: try registration(token: token))
    }

    private func code(_ reply: DeviceRegistry.Reply) -> RequestError.Code? {
        if case .error(let error) = reply.answer { error.code } else { nil }
    }
}
