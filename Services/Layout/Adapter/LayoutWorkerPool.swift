// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Dispatch
public import LayoutEngine
public import ServiceEngine
import ServiceRuntime
import Synchronization

/// Draws the variants of a batch on all cores.
///
/// The thread that owns it draws along with others, each with fonts of its own, since Pango's objects are not to be
/// shared. What one has measured all remember.
final class LayoutWorkerPool: Workers {
    let memory: TextMemory
    private let own: LayoutRenderer
    private let table: Table

    /// Made on the thread that uses it; `size` threads draw, that one included.
    init(size: Int, memory: TextMemory = TextMemory()) {
        self.memory = memory
        let measurer = TextMeasurer(memory: memory)
        measurer.warmUp()
        own = LayoutRenderer(measurer: measurer)
        table = Table()
        for number in 1..<max(size, 1) {
            ServiceThread.start(named: "layout-\(number)") { [table, memory] in
                let measurer = TextMeasurer(memory: memory)
                measurer.warmUp()
                table.help(with: LayoutRenderer(measurer: measurer))
            }
        }
        helpers = max(size, 1) - 1
    }

    private let helpers: Int

    deinit { table.close(helpers) }

    func run(_ orders: [DrawingOrder]) -> [FinishedDrawing] {
        guard helpers > 0, orders.count > 1 else { return own.run(orders) }
        return table.run(orders, with: own, helpers: min(helpers, orders.count - 1))
    }

    /// Where the orders lie that the pool takes from.
    private final class Table: Sendable {
        private struct State {
            var orders: [DrawingOrder] = []
            var next = 0
            var drawings: [FinishedDrawing?] = []
            var isClosed = false

            mutating func take() -> (index: Int, order: DrawingOrder)? {
                guard next < orders.count else { return nil }
                defer { next += 1 }
                return (next, orders[next])
            }
        }

        private let state = Mutex(State())
        /// One signal for each helper that is called, and one for each that has found nothing more to do.
        private let calls = DispatchSemaphore(value: 0)
        private let ends = DispatchSemaphore(value: 0)

        func run(_ orders: [DrawingOrder], with renderer: LayoutRenderer, helpers: Int) -> [FinishedDrawing] {
            state.withLock { state in
                state.orders = orders
                state.drawings = Array(repeating: nil, count: orders.count)
                state.next = 0
            }
            for _ in 0..<helpers { calls.signal() }
            work(renderer)
            for _ in 0..<helpers { ends.wait() }
            return state.withLock { state in
                defer { (state.orders, state.drawings) = ([], []) }
                return state.drawings.compactMap(\.self)
            }
        }

        /// Until the table is closed.
        func help(with renderer: LayoutRenderer) {
            while true {
                calls.wait()
                if state.withLock({ $0.isClosed }) { return }
                work(renderer)
                ends.signal()
            }
        }

        func close(_ helpers: Int) {
            state.withLock { $0.isClosed = true }
            for _ in 0..<helpers { calls.signal() }
        }

        private func work(_ renderer: LayoutRenderer) {
            while let (index, order) = state.withLock({ $0.take() }) {
                let drawing = renderer.finish(order)
                state.withLock { $0.drawings[index] = drawing }
            }
        }
    }
}

extension LayoutRenderer: Workers {
    public func run(_ orders: [DrawingOrder]) -> [FinishedDrawing] { orders.map(finish) }
}
