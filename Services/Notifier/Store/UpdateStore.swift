// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import ServiceEngine
import WidgetSchema

/// Reads the updates that are kept.
protocol UpdateReader {
    /// Returns the kept updates of a widget that reach the number, ascending.
    func updates(of widget: WidgetID, from: SequenceNumber) throws -> [StoredUpdate]
    /// Returns the last update of a widget, or nil if there is none.
    func lastUpdate(of widget: WidgetID) throws -> StoredUpdate?
}

/// The position of a widget in its stream, and what it shows there.
struct WidgetPosition: Hashable, Sendable {
    var sequence: SequenceNumber
    var state: WidgetState
}
