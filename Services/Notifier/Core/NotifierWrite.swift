// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The writes of one cycle: the update, and the widget's new state.
struct NotifierWrite: Hashable, Sendable {
    var update: StoredUpdate
    var state: WidgetState
}
