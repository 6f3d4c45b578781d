// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The state of a widget as of its last update; the next cycle is compared with this state.
struct WidgetState: Hashable, Sendable {
    /// The digest of the layout on each display.
    ///
    /// Empty after the widget was removed, so that the widget counts as new if it is added again.
    var digests: [DisplayName: ContentDigest] = [:]
    /// A Boolean value that indicates whether the widget showed content in its last update, not a placeholder.
    var hadContent = false
    /// A Boolean value that indicates whether the last update told hosts to hide the widget.
    var wasHidden = false
    /// The sequence number of the last `newData` update.
    var lastNewData: SequenceNumber?
}
