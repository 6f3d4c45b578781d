// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WidgetSchema

/// A changed layout of a widget on a display, to be published.
///
/// It is encoded only when it is published, so that the first verdict of a batch does not wait until layouts are encoded.
/// The `laidout` events of further cycles may wait for layouts of the cycles before them.
struct LayoutPublication: Hashable, Sendable {
    let topic: Topic
    let event: Event<LayoutChanged>

    /// An encoded event.
    struct Frame {
        var json: Data
        /// A Boolean value that indicates whether the event omits the layout, because it is too large for a frame.
        var omitsLayout = false
    }

    func frame() throws(WireError) -> Frame {
        let json = try WireJSON.encode(event)
        guard json.count > MessageLimits.clientFrame else { return Frame(json: json) }
        var short = event
        short.data.layout = nil
        return Frame(json: try WireJSON.encode(short), omitsLayout: true)
    }
}
