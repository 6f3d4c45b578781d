// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import WidgetSchema

/// The layout of a cell.
struct CellLayout: Sendable {
    let layout: Layout
    /// The digest of the layout, from the answer that contained it.
    let digest: ContentDigest
    let sequence: SequenceNumber
    let engine: LayoutEngineVersion?
    /// The digest in the update of the cycle; it differs from ``digest`` if another engine drew the layout.
    let announcedDigest: ContentDigest
    /// The size of the answer in bytes.
    let bytes: Int

    /// The version of the engine and its fonts, as a text.
    var engineText: String { engine.map { "\($0.version) \($0.fonts?.rawValue ?? "-")" } ?? "-" }

    /// Returns whether the layout is used while an engine is the current one; `current` is nil if no layout instance is live.
    func isAccepted(by current: LayoutInstances.Engine?) -> Bool {
        guard let current, let engine else { return true }
        return current.accepts(engine)
    }
}
