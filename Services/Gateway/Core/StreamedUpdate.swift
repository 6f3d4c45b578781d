// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WidgetSchema

/// An update in the order in which this gateway sends it.
struct StreamedUpdate: Sendable {
    let widget: WidgetID
    let range: SequenceRange
    let event: Event<Update>
    /// The event's JSON, on one line.
    let json: Data
    /// The position in the stream of all widgets: 1 more than that of the update before.
    let offset: UInt64

    /// A Boolean value that indicates whether the widget no longer exists.
    var isRemoval: Bool { event.data.reason == .removed }
}
