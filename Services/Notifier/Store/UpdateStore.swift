// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import ServiceEngine
import WidgetSchema

/// Read access to the stored updates.
protocol UpdateReader {
    /// Returns the stored updates of a widget from a sequence number on, ascending.
    func updates(of widget: WidgetID, from: SequenceNumber) throws -> [StoredUpdate]
    /// Returns the last update of a widget; nil if there is none.
    func lastUpdate(of widget: WidgetID) throws -> StoredUpdate?
}

/// The position of a widget in its stream, and its state there.
struct WidgetPosition: Hashable, Sendable {
    var sequence: SequenceNumber
    var state: WidgetState
}
