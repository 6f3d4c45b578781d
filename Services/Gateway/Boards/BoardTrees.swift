// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Locking
import WidgetSchema

/// The layouts of the cells of boards that were drawn last, so that a change of one cell needs no other layout.
final class BoardTrees: Sendable {
    /// The layout of a cell.
    struct Tree: Sendable {
        let layout: Layout
        /// The digest of the layout, from the answer that contained it.
        let digest: ContentDigest
        let sequence: SequenceNumber
        let engine: LayoutEngineVersion?
        /// The digest that the update of the cycle tells; it differs from ``digest`` if another engine drew the layout.
        let told: ContentDigest
        /// The size of the answer in bytes.
        let bytes: Int

        /// The version of the engine and its fonts, as a text.
        var surface: String { engine.map { "\($0.version) \($0.fonts?.rawValue ?? "-")" } ?? "-" }
    }

    /// The maximum size of all layouts in bytes of JSON; the least recently used ones are dropped.
    static let defaultMaximumBytes = 32 * 1024 * 1024

    private struct State {
        var trees: [DisplayName: (tree: Tree, usedAt: UInt64)] = [:]
        var bytes = 0
        var clock: UInt64 = 0
    }

    private let state = Lock(State())
    private let maximumBytes: Int

    init(maximumBytes: Int = defaultMaximumBytes) { self.maximumBytes = maximumBytes }

    /// Returns the layout of a cell if it is that of the cell's digest; nil if the layout service must be asked.
    ///
    /// `engine` is the newest version of the layout engine that lives; 0 if none does. The layout of an older engine is
    /// drawn again.
    func tree(of cell: BoardState.Cell, engine: Int64) -> Tree? {
        state.withLock { state in
            guard let tree = state.trees[cell.display]?.tree, tree.told == cell.digest else { return nil }
            if engine != 0, let version = tree.engine?.version, Int64(version) < engine { return nil }
            state.clock += 1
            state.trees[cell.display]?.usedAt = state.clock
            return tree
        }
    }

    func keep(_ tree: Tree, of display: DisplayName) {
        state.withLock { state in
            if let known = state.trees[display]?.tree { state.bytes -= known.bytes }
            state.clock += 1
            state.trees[display] = (tree, state.clock)
            state.bytes += tree.bytes
            guard state.bytes > maximumBytes else { return }
            // Half of the bytes are dropped at once, so that this sort runs seldom.
            for (display, entry) in state.trees.sorted(by: { $0.value.usedAt < $1.value.usedAt }) {
                guard state.bytes > maximumBytes / 2 else { break }
                state.trees[display] = nil
                state.bytes -= entry.tree.bytes
            }
        }
    }

    var count: Int { state.withLock(\.trees.count) }
}
