// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A second request that the answer to the first one calls for.
package enum FollowUp: Hashable, Sendable {
    /// The answer is a web page that announces this feed.
    case announced(String)
    /// The answer refuses a request that had conditions: it is repeated once without.
    case withoutConditions

    /// The address to ask instead; nil for the same one.
    var url: String? {
        if case .announced(let url) = self { url } else { nil }
    }

    /// Returns a Boolean value that indicates whether a status may be due to the conditions of a request: 412, 431 for
    /// headers that are too large, and 400, with which servers answer what they cannot parse.
    static func refusesConditions(_ status: Int) -> Bool {
        status == 412 || status == 431 || status == 400
    }
}
