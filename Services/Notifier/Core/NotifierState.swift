// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The state that the store loads; a notifier's core is created from it.
struct NotifierState: Hashable, Sendable {
    var positions: [WidgetID: WidgetPosition] = [:]
    /// The position of the last update in the stream of all widgets.
    var end: StreamOffset
}

/// The sequence number of a widget's last update, and the widget's state as of this update.
struct WidgetPosition: Hashable, Sendable {
    var sequence: SequenceNumber
    var state: WidgetState
}
