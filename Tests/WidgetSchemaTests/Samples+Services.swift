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
