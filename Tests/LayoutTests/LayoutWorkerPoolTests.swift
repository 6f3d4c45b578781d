// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import TestSupport
import Testing
import WidgetSchema

@testable import Layout
@testable import LayoutEngine

@Suite(.timeLimit(.minutes(3))) struct LayoutWorkerPoolTests {
    private func orders() throws -> [DrawingOrder] {
        let digest = try #require(ContentDigest(rawValue: String(repeating: "0", count: 64)))
        return try (0..<TestExtent.of(10, nightly: 60)).map { seed in
            var random = RandomWidget(seed: UInt64(seed))
            let content = random.content()
            return DrawingOrder(
                shown: .content(content, digest),
                moment: random.moment(content.kind),
                display: try random.display()
            )
        }
    }

    /// Returns the looks and drawings without the keys, which may contain NaN and then equal nothing.
    private func parts(_ finished: [FinishedDrawing]) -> [[AnyHashable]] { finished.map { [$0.look, $0.drawing] } }

    @Test func theNumberOfWorkersDoesNotChangeLayouts() throws {
        let orders = try orders()
        let alone = parts(LayoutRenderer(measurer: TextMeasurer()).run(orders))
        for size in [1, 2, 5] {
            let pool = LayoutWorkerPool(size: size)
            #expect(parts(pool.run(orders)) == alone, "\(size) workers")
            // The second run finds the measured texts in the shared memory.
            #expect(parts(pool.run(orders)) == alone, "\(size) workers, measured texts")
            #expect(parts(orders.chunked(13).flatMap(pool.run)) == alone, "\(size) workers, in parts")
            #expect(pool.run([]).isEmpty)
        }
    }

    @Test func bothModesOfADeviceAreDrawnByOneThread() throws {
        let digests = try ["0", "1"].map { try #require(ContentDigest(rawValue: String(repeating: $0, count: 64))) }
        var random = RandomWidget(seed: 1)
        let content = random.content()
        let moment = random.moment(content.kind)
        func order(_ digest: ContentDigest, _ name: String, _ mode: Display.Mode?) throws -> DrawingOrder {
            var display = try random.display()
            display.name = try #require(DisplayName(rawValue: name))
            display.mode = mode
            return DrawingOrder(shown: .content(content, digest), moment: moment, display: display)
        }
        let orders = [
            try order(digests[0], "desk", nil),
            try order(digests[0], "phone-compact", .compact),
            try order(digests[0], "phone-expanded", .expanded),
            try order(digests[1], "phone-compact", .compact),
            try order(digests[1], "tablet-compact", .compact),
            try order(digests[1], "tablet-expanded", .expanded),
        ]
        #expect(LayoutWorkerPool.Batch(orders).groups == [0..<1, 1..<3, 3..<4, 4..<6])
    }
}

extension Array {
    fileprivate func chunked(_ size: Int) -> [[Element]] {
        stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
    }
}
