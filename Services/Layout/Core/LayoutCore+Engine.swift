// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import LayoutEngine
import ServiceEngine
import WidgetSchema

/// The settings of a ``LayoutCore``.
struct LayoutSetup: Sendable {
    /// The digest of the fonts, which is copied to every laid-out cycle; nil if it is unknown.
    var fonts: ContentDigest?
    /// The version of the layout engine; tests set other versions.
    var version = LayoutRenderer.version
    var maximumContentBytes = ContentMemory.maximumBytes
    var maximumWaiting = LayoutCore.maximumWaiting
}

extension LayoutCore: ServiceCore {
    typealias State = NoStore.State
    typealias Input = LayoutInput
    typealias Write = Never
    typealias Effect = LayoutEffect
    typealias Work = DrawingOrder
    typealias Done = FinishedDrawing

    /// The maximum number of inputs in a batch.
    ///
    /// The limit is smaller than in other services, because effects wait until all drawings of the batch are complete.
    static var batchLimit: Int { 64 }

    init(_ state: State, setup: LayoutSetup, load: UInt64) { self.init(setup) }

    mutating func start(now: ClockReading) -> Decisions { Decisions() }

    mutating func handle(_ input: LayoutInput, now: ClockReading) -> Decisions {
        let effects = decide(input, now: now.wall)
        return Decisions(work: drawingCache.takeOrders(), effects: effects)
    }

    mutating func finish(_ done: [FinishedDrawing], now: ClockReading) -> Decisions {
        drawingCache.take(done)
        let effects = goOn(now: now.wall)
        return Decisions(work: drawingCache.takeOrders(), effects: effects)
    }

    mutating func endBatch(now: ClockReading) -> Decisions {
        drawingCache.endBatch()
        var values = counts.named
        values["layout.drawn"] = drawingCache.drawn
        values["layout.looksRemembered"] = drawingCache.remembered
        values["limit.layout.contentBytes"] = contents.forgotten
        let changed = values.filter { reported[$0.key] != $0.value }
        guard !changed.isEmpty else { return Decisions() }
        reported = values
        return Decisions(effects: [.counts(changed)])
    }

    var nextDeadline: Deadline? { nil }
}
