// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A second request that the answer to the first request requires.
package enum FollowUp: Hashable, Sendable {
    /// The first answer is a web page that announces a feed; the second request fetches this feed.
    ///
    /// The associated value is the address of the feed.
    case announced(String)
    /// The server may have rejected the header `If-None-Match` or `If-Modified-Since` of the first request, so the
    /// request is repeated once without these headers.
    case withoutConditions

    /// The address of the second request; nil if both requests have the same address.
    var url: String? {
        if case .announced(let url) = self { url } else { nil }
    }

    /// Returns whether a status may mean that the server rejected the header `If-None-Match` or `If-Modified-Since`.
    ///
    /// Returns true for 412, for 431 (the headers are too large), and for 400, which some servers send if they cannot
    /// parse one of these headers.
    static func mayRejectConditions(_ status: Int) -> Bool {
        status == 412 || status == 431 || status == 400
    }
}
