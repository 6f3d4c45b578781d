// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing
import WidgetSchema

@testable import Layout
@testable import LayoutEngine

@Suite(.timeLimit(.minutes(1))) struct LayoutWorkerPoolTests {
    private func orders() throws -> [DrawingOrder] {
        let digest = try #require(ContentDigest(rawValue: String(repeating: "0", count: 64)))
        return try (0..<120).map { seed in
            var random = RandomWidget(seed: UInt64(seed))
            let content = random.content()
            return DrawingOrder(
                shown: .content(content, digest),
                moment: random.moment(content.kind),
                display: try random.display()
            )
        }
    }

    /// What was drawn, without the keys: numbers that are none equal nothing.
    private func parts(_ finished: [FinishedDrawing]) -> [[AnyHashable]] { finished.map { [$0.look, $0.drawing] } }

    @Test(arguments: [1, 2, 5]) func howManyDrawMakesNoDifference(size: Int) throws {
        let orders = try orders()
        let alone = parts(LayoutRenderer(measurer: TextMeasurer()).run(orders))
        let crew = LayoutWorkerPool(size: size)
        #expect(parts(crew.run(orders)) == alone)
        // Again, from the memory that all share, and in parts.
        #expect(parts(crew.run(orders)) == alone)
        #expect(parts(orders.chunked(3).flatMap(crew.run)) == alone)
        #expect(crew.run([]).isEmpty)
    }
}

extension Array {
    fileprivate func chunked(_ size: Int) -> [[Element]] {
        stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
    }
}
