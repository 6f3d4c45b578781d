// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A second request that the answer to the first one requires.
package enum FollowUp: Hashable, Sendable {
    /// The answer is a web page that announces this feed.
    case announced(String)
    /// The server rejects a conditional request, so it is repeated once without conditions.
    case withoutConditions

    /// The address of the second request; nil if it is that of the first request.
    var url: String? {
        if case .announced(let url) = self { url } else { nil }
    }

    /// Returns whether a request's conditions may be the cause of a status: 412, 431 for headers that are too large,
    /// and 400, which some servers answer if they cannot parse a condition.
    static func refusesConditions(_ status: Int) -> Bool {
        status == 412 || status == 431 || status == 400
    }
}
