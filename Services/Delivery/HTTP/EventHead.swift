// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The members of an event that a push message may name.
struct EventHead: Decodable, Hashable, Sendable {
    struct Body: Decodable, Hashable, Sendable {
        /// The one-line summary, which respects the widget's `private`.
        var summary: String?
    }

    var sequence: SequenceNumber?
    var data: Body?
}
