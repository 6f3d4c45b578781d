// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The state of a widget as of its last update; the next verdict is relative to it.
struct WidgetState: Hashable, Sendable {
    /// The digest of each display; empty after a removal, so that a widget that is added again is new.
    var digests: [DisplayName: ContentDigest] = [:]
    /// A Boolean value that indicates whether it showed content, and not a placeholder.
    var hadContent = false
    /// A Boolean value that indicates whether hosts were told to hide the widget.
    var wasHidden = false
    /// The last update that was `newData`.
    var lastNewData: SequenceNumber?
}
