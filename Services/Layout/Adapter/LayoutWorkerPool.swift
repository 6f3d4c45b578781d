// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Dispatch
public import LayoutEngine
public import ServiceEngine
import ServiceRuntime
import Synchronization

/// The threads that draw widgets, including the thread that owns the pool.
///
/// Each thread has fonts of its own, because Pango's objects must not be shared. All threads share one
/// `TextMemory`, which stores measured texts.
final class LayoutWorkerPool: Workers {
    let memory: TextMemory
    private let own: LayoutRenderer
    private let helpers: Int
    private let pool: WorkerPool<LayoutRenderer>?

    /// Creates a pool of `size` threads, including the calling thread.
    ///
    /// Only the calling thread may call `run`.
    init(size: Int, memory: TextMemory = TextMemory()) {
        self.memory = memory
        helpers = max(size, 1) - 1
        own = Self.renderer(memory)
        pool =
            helpers > 0
            ? WorkerPool(named: "layout", WorkerPool.Options(threads: helpers)) { Self.renderer(memory) } : nil
    }

    deinit { pool?.stop() }

    private static func renderer(_ memory: TextMemory) -> LayoutRenderer {
        let measurer = TextMeasurer(memory: memory)
        measurer.warmUp()
        return LayoutRenderer(measurer: measurer)
    }

    func run(_ orders: [DrawingOrder]) -> [FinishedDrawing] {
        guard let pool, orders.count > 1 else { return own.run(orders) }
        let batch = Batch(orders)
        let called = min(helpers, orders.count - 1)
        for _ in 0..<called { pool.submit { renderer in batch.help(with: renderer) } }
        return batch.run(with: own, helpers: called)
    }

    /// The ``DrawingOrder`` values of one call of `run`; each thread takes and draws the next one until none is left.
    private final class Batch: Sendable {
        private struct State {
            let orders: [DrawingOrder]
            var next = 0
            var drawings: [FinishedDrawing?]

            mutating func take() -> (index: Int, order: DrawingOrder)? {
                guard next < orders.count else { return nil }
                defer { next += 1 }
                return (next, orders[next])
            }
        }

        private let state: Mutex<State>
        /// The semaphore that each helper thread signals when no ``DrawingOrder`` is left.
        private let ends = DispatchSemaphore(value: 0)

        init(_ orders: [DrawingOrder]) {
            state = Mutex(State(orders: orders, drawings: Array(repeating: nil, count: orders.count)))
        }

        func run(with renderer: LayoutRenderer, helpers: Int) -> [FinishedDrawing] {
            work(with: renderer)
            for _ in 0..<helpers { ends.wait() }
            return state.withLock { $0.drawings.compactMap(\.self) }
        }

        func help(with renderer: LayoutRenderer) {
            work(with: renderer)
            ends.signal()
        }

        private func work(with renderer: LayoutRenderer) {
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
