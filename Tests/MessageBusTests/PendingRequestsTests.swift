// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Testing
import WidgetSchema

@testable import MessageBus

@Suite struct PendingRequestsTests {
    private func request(_ id: String, route: String) throws -> IncomingRequest {
        let id = try #require(RequestID(rawValue: id))
        return IncomingRequest(id: id, json: Data(), receivedAt: .now, route: Data(route.utf8))
    }

    @Test func aRepeatedRequestIsOneAndIsAnsweredWhereItCameFromLast() throws {
        var pending = PendingRequests()
        let first = try #require(pending.addOnce(try request("a-1", route: "old")))
        for _ in 0..<40 { #expect(pending.addOnce(try request("a-1", route: "new")) == nil) }
        let other = try #require(pending.addOnce(try request("a-2", route: "other")))
        #expect(other != first)
        #expect(pending.remove(first)?.route == Data("new".utf8))
        #expect(pending.remove(first) == nil)
        #expect(pending.addOnce(try request("a-1", route: "late")) != nil)
    }
}
