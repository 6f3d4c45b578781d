// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Testing
import WidgetSchema

@testable import Delivery

/// Attempts and registrations for the tests of senders.
enum PushSamples {
    static let time = Instant(milliseconds: 1_790_000_000_000)

    static func attempt(
        _ widget: String = "news",
        sequence: UInt64 = 7,
        number: Int = 1,
        _ change: (inout Update) -> Void = { _ in }
    ) throws -> DeliveryAttempt {
        let id = try #require(WidgetID(rawValue: widget))
        let digest = try #require(ContentDigest(String(repeating: "a", count: 64)))
        let phone = try #require(DisplayName(rawValue: "phone"))
        let range = SequenceRange(SequenceNumber(sequence))
        var update = Update(
            result: .newData,
            reason: .visibleChange,
            cause: .refresh,
            outcome: .changed,
            changed: [phone],
            displays: [phone: DisplayState(digest: digest, height: 100)],
            hasContent: true,
            contentDate: time,
            times: CycleTimes(),
            summary: "One headline"
        )
        change(&update)
        let event = Event(.update(.newData, id), widget: id, range: range, time: time, data: update)
        return DeliveryAttempt(
            message: "msg_\(widget)_\(sequence)",
            destination: try #require(DestinationName(rawValue: "home")),
            subject: .widget(id),
            number: number,
            body: try WireJSON.encode(event),
            time: time,
            timeout: .seconds(20)
        )
    }

    static func apns(
        _ token: String = String(repeating: "ab", count: 32),
        _ push: APNsRegistration.Push = .widgets
    ) -> APNsRegistration {
        APNsRegistration(push: push, token: token, bundle: "org.example.News")
    }
}
