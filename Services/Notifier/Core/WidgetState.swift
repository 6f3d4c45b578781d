// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The state of a widget as of its last update; the next cycle is compared with this state.
struct WidgetState: Hashable, Sendable {
    /// The content digest of each display; empty after a removal, so that a widget that is added again counts as new.
    var digests: [DisplayName: ContentDigest] = [:]
    /// A Boolean value that indicates whether the widget showed content rather than a placeholder.
    var hadContent = false
    /// A Boolean value that indicates whether hosts were told to hide the widget.
    var wasHidden = false
    /// The sequence number of the last `newData` update.
    var lastNewData: SequenceNumber?
}
