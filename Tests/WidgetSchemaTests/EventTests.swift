// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Testing
import WidgetSchema

@Suite struct EventTests {
    @Test func unknownFieldsAreIgnoredAtEveryDepth() throws {
        var object = try json(Samples.update)
        object["traceparent"] = "00-1"
        var data = try #require(object["data"] as? [String: Any])
        data["mood"] = "fine"
        object["data"] = data
        let decoded = try WireJSON.decode(Event<Update>.self, from: JSONSerialization.data(withJSONObject: object))
        #expect(decoded == Samples.update)
    }

    @Test(arguments: ["tidings.update.v2", "tidings.laidout.v1", "something.else"])
    func anotherTypeOrMajorVersionIsRefused(_ type: String) throws {
        var object = try json(Samples.update)
        object["type"] = type
        let bytes = try JSONSerialization.data(withJSONObject: object)
        #expect(throws: WireError.unknownType(found: type, expected: "tidings.update.v1")) {
            try WireJSON.decode(Event<Update>.self, from: bytes)
        }
    }

    @Test func anErrorNamesThePlaceInTheMessage() throws {
        var object = try json(Samples.laidOut)
        var data = try #require(object["data"] as? [String: Any])
        data["displays"] = ["phone-classic": ["digest": "no", "height": 4]]
        object["data"] = data
        let bytes = try JSONSerialization.data(withJSONObject: object)
        let error = #expect(throws: WireError.self) { try WireJSON.decode(Event<LaidOut>.self, from: bytes) }
        #expect(error?.description.hasPrefix("data.displays.phone-classic.digest: 'no' is not valid") == true)
    }

    @Test func aMissingFirstMeansASingleCycle() throws {
        var object = try json(Samples.update)
        object["first"] = nil
        let decoded = try WireJSON.decode(Event<Update>.self, from: JSONSerialization.data(withJSONObject: object))
        #expect(decoded.range == Samples.update.range)
    }

    @Test func aTopicNeverMatchesALongerID() throws {
        let longer = try #require(WidgetID(rawValue: "blog-2"))
        #expect(!Topic.refreshed(longer).text.hasPrefix(Topic.refreshed(Samples.widget).text))
    }

    @Test(arguments: [
        ("~ready/abc-1/", "abc-1"), ("~ready//", nil), ("~ready/a/b/", nil), ("~ready/abc", nil), ("ready/abc/", nil),
        ("~ready/" + String(repeating: "n", count: 65) + "/", nil), ("~ready/a b/", nil),
    ])
    func onlyAWellFormedNonceIsEchoed(_ topic: String, _ nonce: String?) { #expect(Topic(topic).readyNonce == nonce) }

    @Test func aRequestOfAnotherNameIsRefused() throws {
        let bytes = try WireJSON.encode(Request(HealthRequest(), deadlineMilliseconds: 10))
        #expect(throws: WireError.unknownType(found: "health", expected: "lease")) {
            try WireJSON.decode(Request<LeaseRequest>.self, from: bytes)
        }
    }

    private func json(_ event: some Encodable) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: WireJSON.encode(event)) as? [String: Any])
    }
}
