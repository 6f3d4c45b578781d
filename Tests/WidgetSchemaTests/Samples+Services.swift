// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WidgetSchema

extension Samples {
    static let cacheHeads = Event(
        .heads(of: .cache),
        subject: nil,
        nonce: "n7",
        counter: 9,
        time: answered,
        data: CacheHeads(heads: [widget: Head(sequence: sequence)])
    )
    static let notifierHeads = Event(
        .heads(of: .notifier),
        subject: nil,
        nonce: "n7",
        counter: 9,
        time: answered,
        data: NotifierHeads(
            heads: [widget: Head(sequence: sequence, lastNewData: sequence.previous)],
            end: offset
        )
    )
    static let schedule = Event(
        .schedule(of: .cache),
        subject: nil,
        nonce: "n7",
        counter: 9,
        time: answered,
        data: SourceSchedule(
            sources: [
                source: PlannedFetch(
                    next: answered.advanced(byMilliseconds: 300_000),
                    state: .scheduled,
                    host: "example.org",
                    lastAttempt: answered
                )
            ],
            hosts: ["example.org": answered.advanced(byMilliseconds: 600_000)],
            roundMilliseconds: 1_000
        )
    )
    /// The state of the display before the notifier has added the time of its last change.
    static let laidOutState = {
        var state = displayState
        state.changed = nil
        return state
    }()
    // A command that came in the pause that the host has asked for.
    static let blockedUntil = answered.advanced(byMilliseconds: 600_000)
    static let refreshedBlocked = {
        var event = refreshed
        (event.data.outcome, event.data.blockedUntil) = (.fresh, blockedUntil)
        event.data.times.answered = nil
        return event
    }()
    static let laidOutBlocked = {
        var event = laidOut
        (event.data.outcome, event.data.blockedUntil) = (.fresh, blockedUntil)
        event.data.otherLocales = [phone]
        event.data.times.answered = nil
        return event
    }()
    static let updateBlocked = {
        var event = Event(
            .update(.noData, widget),
            widget: widget,
            range: range,
            offset: offset,
            time: answered,
            data: update.data
        )
        (event.data.result, event.data.reason, event.data.outcome) = (.noData, .blocked, .fresh)
        (event.data.changed, event.data.blockedUntil) = ([], blockedUntil)
        event.data.times.answered = nil
        return event
    }()
    static let health = Event(
        .health(.cache, instance),
        subject: "cache/host-4711",
        nonce: "n7",
        counter: 1,
        time: answered,
        data: healthState
    )
    static let healthState = Health(
        state: .degraded,
        message: "The disk is full.",
        version: "0.1.0",
        startedAt: answered,
        counters: ["cycles": 12, "dropped": 0],
        gauges: ["widgets": 3],
        histograms: [
            "engine.batchDuration": DurationHistogram(
                boundsMicroseconds: [1_000, 5_000],
                counts: [10, 2, 1],
                sumMicroseconds: 23_456
            )
        ],
        role: .active,
        term: Term(timeline: 2, token: 17),
        activeSince: answered,
        configurationDigest: digest
    )
}
