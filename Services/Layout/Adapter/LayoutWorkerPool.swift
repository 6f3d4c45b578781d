// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Dispatch
public import LayoutEngine
import Locking
public import ServiceEngine
import ServiceRuntime
import WidgetSchema

/// The threads that draw widgets, including the thread that owns the pool.
///
/// Each thread has fonts of its own, because Pango's objects must not be shared. All threads share one
/// `TextMemory`, which stores measured texts.
final class LayoutWorkerPool: Workers {
    /// The minimum number of groups in a batch for each helper thread.
    ///
    /// Drawing the groups of one widget takes less time than waking another thread.
    private static let groupsPerHelper = 4

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
        let called = min(helpers, batch.groups.count / Self.groupsPerHelper)
        for _ in 0..<called { pool.submit { renderer in batch.help(with: renderer) } }
        return batch.run(with: own, helpers: called)
    }

    /// The ``DrawingOrder`` values of one call of `run`, divided into groups.
    ///
    /// Each thread takes one group after another until no group is left.
    final class Batch: Sendable {
        private struct State {
            var nextGroup = 0
            var drawings: [FinishedDrawing?]
        }

        /// The index ranges of the groups in `orders`; one thread draws all orders of a group.
        ///
        /// Consecutive orders are in the same group if they have the same content and device, and differ in the mode
        /// (compact or expanded). The renderer lays out both modes even if only one is ordered. If two threads drew
        /// one mode each, the work would be done twice.
        let groups: [Range<Int>]
        private let orders: [DrawingOrder]
        private let state: Lock<State>
        /// The semaphore that each helper thread signals when no groups are left.
        private let ends = DispatchSemaphore(value: 0)

        init(_ orders: [DrawingOrder]) {
            self.orders = orders
            groups = Self.groups(of: orders)
            state = Lock(State(drawings: Array(repeating: nil, count: orders.count)))
        }

        private static func groups(of orders: [DrawingOrder]) -> [Range<Int>] {
            var groups: [Range<Int>] = []
            for index in orders.indices {
                if let last = groups.last, belongTogether(orders[index - 1], orders[index]) {
                    groups[groups.count - 1] = last.lowerBound..<index + 1
                } else {
                    groups.append(index..<index + 1)
                }
            }
            return groups
        }

        private static func belongTogether(_ left: DrawingOrder, _ right: DrawingOrder) -> Bool {
            left.display.mode != right.display.mode && left.display.device == right.display.device
                && left.shown.identity == right.shown.identity
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
            while let group = takeGroup() {
                let drawings = group.map { renderer.finish(orders[$0]) }
                state.withLock { $0.drawings.replaceSubrange(group, with: drawings) }
            }
        }

        private func takeGroup() -> Range<Int>? {
            state.withLock { state in
                guard state.nextGroup < groups.count else { return nil }
                defer { state.nextGroup += 1 }
                return groups[state.nextGroup]
            }
        }
    }
}

extension LayoutRenderer: Workers {
    public func run(_ orders: [DrawingOrder]) -> [FinishedDrawing] { orders.map(finish) }
}
