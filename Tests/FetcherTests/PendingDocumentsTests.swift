// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Testing
import WidgetSchema

@testable import Fetcher
@testable import MessageBus

/// Tests of the requests that a fetcher carries out once.
@Suite struct PendingDocumentsTests {
    private final class Documents {
        private var pending = PendingDocuments()

        func begin(_ request: IncomingRequest, host: String? = nil) -> String {
            switch pending.begin(request, host: host) {
            case .begun: "begun"
            case .running: "running"
            case .answered(let json): String(decoding: json, as: UTF8.self)
            case .refused: "refused"
            }
        }

        func end(_ request: IncomingRequest, _ json: Data?) -> IncomingRequest? { pending.end(request, json) }
    }

    private let documents = Documents()

    private func request(_ id: String, route: String = "a", requester: Requester = .unregistered) throws
        -> IncomingRequest
    {
        IncomingRequest(
            id: try #require(RequestID(rawValue: id)),
            json: Data(),
            receivedAt: .now,
            route: Data(route.utf8),
            requester: requester
        )
    }

    @Test func aRequestThatComesAgainIsCarriedOutOnceAndAnsweredWhereItCameLast() throws {
        let (first, again) = (try request("x-1", route: "a"), try request("x-1", route: "b"))
        #expect(documents.begin(first, host: "a.example") == "begun")
        #expect(documents.begin(again, host: "a.example") == "running")
        #expect(documents.end(first, Data("{}".utf8))?.route == Data("b".utf8))
        #expect(documents.begin(again, host: "a.example") == "{}")
        #expect(documents.end(first, nil) == nil)
        let gateway = RequestTarget(.gateway, instance: InstanceName(rawValue: "g"))
        #expect(documents.begin(try request("x-1", requester: .instance(gateway)), host: "a.example") == "begun")
    }

    @Test func oneAddressOfAHostIsInspectedAtATimeAndFourOfAll() throws {
        #expect(documents.begin(try request("x-1"), host: "a.example") == "begun")
        #expect(documents.begin(try request("x-2"), host: "a.example") == "refused")
        #expect(documents.begin(try request("x-3")) == "begun", "it requests nothing from an origin")
        for number in 4...6 {
            #expect(documents.begin(try request("x-\(number)"), host: "\(number).example") == "begun")
        }
        #expect(documents.begin(try request("x-7"), host: "7.example") == "refused")
        _ = documents.end(try request("x-1"), nil)
        #expect(documents.begin(try request("x-2"), host: "a.example") == "begun", "a failure is not kept, either")
    }
}
