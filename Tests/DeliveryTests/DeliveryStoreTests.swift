// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Cryptography
import Foundation
import ServiceEngine
import Storage
import TestSupport
import Testing
import WidgetSchema

@testable import Delivery

@Suite struct DeliveryStoreTests {
    private func record() throws -> LaneRecord {
        var record = LaneRecord()
        let content = MessageContent(
            first: 3,
            last: 4,
            changed: [try display("phone")],
            isHigh: true,
            digests: [try display("phone"): try digest(of: "x")],
            json: Data("{}".utf8)
        )
        record.message = Message(id: "msg_1", content: content, nextAttempt: at(5), body: Data("body".utf8))
        record.message?.content.json = Data()
        record.pending = content
        let entry = record.ledger.spend(now: at(1))
        record.message?.spent = entry
        (record.done, record.wanted) = (2, 4)
        return record
    }

    private func key() throws -> LaneKey {
        LaneKey(destination: try destination("hook"), subject: .widget(try widget("news")))
    }

    @Test func whatIsCommittedIsLoadedAgain() throws {
        let folder = try TemporaryFolder()
        let location = StoreLocation(folder.path)
        let position = StreamOffset(epoch: .random(), number: 7)
        let store = try DeliveryStore(location)
        #expect(try store.load().position == nil)
        try store.commit([
            .position(StreamOffset(epoch: .random(), number: 6)), .position(position), .widget(try widget("news"), 4),
            .widget(try widget("gone"), 1), .destination(try destination("hook"), DestinationRecord(fingerprint: "f")),
            .lane(try key(), try record()),
        ])
        try store.commit([.widget(try widget("gone"), nil)])
        store.close()
        let state = try DeliveryStore(location).load()
        #expect(state.position == position)
        #expect(state.widgets == [try widget("news"): 4])
        #expect(state.destinations.values.map(\.fingerprint) == ["f"])
        #expect(state.lanes == [try key(): try record()])
        #expect(!state.wasRestored && state.restored == nil)
    }

    @Test func devicesAndTheKeyForPushServicesAreInTheStore() throws {
        let folder = try TemporaryFolder()
        let location = StoreLocation(folder.path)
        let store = try DeliveryStore(location)
        #expect(store.pushKey == nil)
        _ = try store.load()
        let key = try #require(store.pushKey).scalar
        let id = try #require(DeviceID(rawValue: "phone"))
        let registration = DeviceRegistration(address: .apns(PushSamples.apns()))
        let device = Device(id: id, owner: "owner", registration: registration, registered: at(0))
        try store.commit([.device(id, device), .device(id, nil), .device(id, device)])
        store.close()
        let later = try DeliveryStore(location)
        #expect(try later.load().devices == [id: device])
        #expect(later.pushKey?.scalar == key)
        try later.commit([.device(id, device), .device(id, nil)])
        #expect(try later.load().devices.isEmpty)
        later.close()
    }

    @Test func aCopyThatWasPutBackIsRememberedUntilTheStatesWereComparedAndForTheBudgets() throws {
        let folder = try TemporaryFolder()
        let location = StoreLocation(folder.path)
        let store = try DeliveryStore(location)
        _ = try store.load()
        let record = DestinationRecord(fingerprint: "f")
        let position = StreamOffset(epoch: .random(), number: 7)
        try store.commit([
            .position(position), .widget(try widget("news"), 1), .destination(try destination("hook"), record),
        ])
        store.close()
        let file = folder.url.appending(path: "delivery.sqlite")
        let copy = try Data(contentsOf: file)
        let later = try DeliveryStore(location)
        try later.commit([.widget(try widget("news"), 2)])
        later.close()
        try FileManager.default.removeItem(at: file)
        try copy.write(to: file)
        let restored = try DeliveryStore(location)
        let state = try restored.load()
        #expect(state.wasRestored && state.restored != nil && state.position == nil)
        #expect(try restored.load().wasRestored, "nothing was compared since")
        try restored.commit([.position(position)])
        #expect(try restored.load().wasRestored == false)
        #expect(try restored.load().restored == state.restored)
        try restored.commit([.restored(at(9)), .position(position)])
        #expect(try restored.load().restored == BudgetLedger.Restored(at: at(9)))
        restored.close()
    }

    @Test func theCheckAcceptsWhatTheServiceWritesAndRefusesTheRest() throws {
        let folder = try TemporaryFolder()
        let store = try DeliveryStore(StoreLocation(folder.path))
        _ = try store.load()
        let id = try #require(DeviceID(rawValue: "phone"))
        let registration = DeviceRegistration(address: .apns(PushSamples.apns()))
        let device = Device(id: id, owner: "owner", registration: registration, registered: at(0))
        try store.commit([
            .position(StreamOffset(epoch: .random(), number: 7)), .widget(try widget("news"), 4),
            .destination(try destination("hook"), DestinationRecord(fingerprint: "f")),
            .lane(try key(), try record()), .device(id, device),
        ])
        store.close()
        let path = folder.path + "/delivery.sqlite"
        try DeliveryStore.check.run(on: path)
        for (change, reason) in [
            ("delivery_lane SET subject = 'x'", "neither"), ("delivery_lane SET body = NULL", "together"),
            ("delivery_destination SET record = x'7b'", "delivery_destination"),
            ("delivery_device SET id = 'other'", "differs"), ("delivery_key SET scalar = x'00'", "private key"),
        ] {
            let copy = folder.path + "/copy.sqlite"
            try? FileManager.default.removeItem(atPath: copy)
            try FileManager.default.copyItem(atPath: path, toPath: copy)
            let refusal = try CheckedStore(copy, by: DeliveryStore.check).refusal(after: change)
            #expect(refusal?.contains(reason) == true, "\(refusal ?? "accepted")")
        }
    }
}
