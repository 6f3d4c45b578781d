// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// What a widget showed with its last update: the next verdict is relative to it.
struct WidgetState: Hashable, Sendable {
    /// What each display shows; empty after a removal, so a widget that comes back is new.
    var digests: [DisplayName: ContentDigest] = [:]
    /// Whether that was content, and no placeholder.
    var hadContent = false
    /// Whether hosts were told to hide the widget.
    var wasHidden = false
    /// The last update that was `newData`.
    var lastNewData: SequenceNumber?
}
