// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// What one cycle writes: the update, and what the widget shows with it.
struct UpdateCommit: Hashable, Sendable {
    var update: StoredUpdate
    var state: WidgetState
}
