// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import WidgetSchema

/// A write of the core.
enum DeliveryWrite: Sendable {
    /// The position up to which the updates of all widgets are in the store; nil to forget it.
    case position(StreamOffset?)
    /// The time of the last restore, after a change of the clock.
    case restored(Instant)
    /// The last known cycle of a widget; nil to forget the widget.
    case widget(WidgetID, SequenceNumber?)
    case destination(DestinationName, DestinationRecord?)
    /// The state of a lane; nil to forget it.
    case lane(LaneKey, LaneRecord?)
    /// A registered device; nil to forget it.
    case device(DeviceID, Device?)
}
