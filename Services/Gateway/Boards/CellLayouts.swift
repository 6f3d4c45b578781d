// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import Foundation
import Locking
import WidgetSchema

/// The layouts of the cells of boards that were drawn last, so that a change of one cell needs no other layout.
final class CellLayouts: Sendable {
    /// The maximum size of all layouts in bytes of JSON; the least recently used ones are dropped.
    static let defaultMaximumBytes = 32 * 1024 * 1024

    private struct State {
        var layouts: [DisplayName: (layout: CellLayout, usedAt: UInt64)] = [:]
        var bytes = 0
        var clock: UInt64 = 0
    }

    private let state = Lock(State())
    private let maximumBytes: Int

    init(maximumBytes: Int = defaultMaximumBytes) { self.maximumBytes = maximumBytes }

    /// Returns the layout of a cell if it is that of the cell's digest; nil if it must be requested.
    ///
    /// `engine` is the current layout engine; nil if no instance of the layout service is live. A layout of an older engine, or
    /// with other fonts, is drawn again.
    func layout(of cell: BoardState.Cell, engine: LayoutInstances.Engine?) -> CellLayout? {
        state.withLock { state in
            guard let layout = state.layouts[cell.display]?.layout, layout.announcedDigest == cell.digest,
                layout.isAccepted(by: engine)
            else { return nil }
            state.clock += 1
            state.layouts[cell.display]?.usedAt = state.clock
            return layout
        }
    }

    func keep(_ layout: CellLayout, of display: DisplayName) {
        state.withLock { state in
            if let known = state.layouts[display]?.layout { state.bytes -= known.bytes }
            state.clock += 1
            state.layouts[display] = (layout, state.clock)
            state.bytes += layout.bytes
            guard state.bytes > maximumBytes else { return }
            // Half of the bytes are dropped at once, so that this sort runs seldom.
            for (display, entry) in state.layouts.sorted(by: { $0.value.usedAt < $1.value.usedAt }) {
                guard state.bytes > maximumBytes / 2 else { break }
                state.layouts[display] = nil
                state.bytes -= entry.layout.bytes
            }
        }
    }
}
