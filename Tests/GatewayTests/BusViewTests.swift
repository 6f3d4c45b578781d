// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import Testing
import WidgetSchema

@testable import Gateway

/// Tests of what a gateway remembers of updates.
@Suite struct BusViewTests {
    private func take(
        _ view: BusView,
        _ sequence: UInt64,
        _ change: (inout Update) throws -> Void
    ) throws {
        var event = try Samples.event("blog", sequence)
        try change(&event.data)
        view.take(try Samples.streamed(event, offset: sequence), at: Samples.now)
    }

    @Test func theTimeOfTheLastChangeIsTheOneOfTheUpdateInEachGateway() throws {
        let (first, second) = (BusView(), BusView())
        let (blog, phone, wall) = (
            try Samples.widget("blog"), try Samples.display("phone"), try Samples.display("wall")
        )
        try take(first, 1) { $0.displays[phone]?.changed = Samples.now }
        for view in [first, second] {
            try take(view, 2) { update in
                update.times.decided = Samples.now.advanced(byMilliseconds: 60_000)
                update.displays[phone]?.changed = Samples.now
            }
            #expect(view.changed(blog, phone) == Samples.now.milliseconds / 1_000)
            #expect(view.changed(blog, wall) == nil, "a notifier of an earlier version did not tell it")
        }
    }

    @Test func theLastAttemptIsThatOfAFetchOrAPushAndNotThatOfACommand() throws {
        let view = BusView()
        let blog = try Samples.widget("blog")
        let committed = Samples.now.advanced(byMilliseconds: 5)
        try take(view, 1) { $0.times = CycleTimes(answered: Samples.now, committed: committed) }
        try take(view, 2) { update in
            (update.cause, update.outcome) = (.interaction, .fresh)
            update.times = CycleTimes(committed: committed.advanced(byMilliseconds: 90_000))
        }
        let attempt = try #require(view.lastAttempt(blog))
        #expect(attempt.at == Samples.now && attempt.outcome == .notModified)
        #expect(attempt.reported == AnnouncedFetches.Outcome(committed: committed, heard: Samples.now))
        try take(view, 3) { update in
            (update.cause, update.outcome) = (.push, .changed)
            update.times = CycleTimes(committed: committed.advanced(byMilliseconds: 99_000))
        }
        #expect(view.lastAttempt(blog)?.at == committed.advanced(byMilliseconds: 99_000))
        try take(view, 4) { $0.reason = .removed }
        #expect(view.lastAttempt(blog) == nil)
    }
}
