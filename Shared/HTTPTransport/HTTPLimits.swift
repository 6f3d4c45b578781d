// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The limits of one request.
///
/// Reaching one ends the request with a failure that names the limit.
package struct HTTPLimits: Sendable, Hashable {
    package static let defaultConnectDeadline = Duration.seconds(10)
    package static let defaultTotalDeadline = Duration.seconds(30)
    package static let defaultMinimumBytesPerSecond = 64
    package static let defaultSlowWindow = Duration.seconds(15)
    package static let defaultMaximumBodyBytes = 15 * 1024 * 1024
    package static let defaultMaximumRatio = 200
    package static let defaultMaximumHeaderBytes = 64 * 1024
    package static let defaultMaximumRedirects = 5

    /// A body up to this size may be as dense as it likes: a short feed of one word repeated harms nobody.
    package static let freeBytes = 1024 * 1024

    /// The time for looking up, connecting to and greeting one host.
    package var connectDeadline: Duration
    /// The time for the whole request, with all redirects.
    package var totalDeadline: Duration
    /// The transfer rate below which an answer counts as too slow.
    package var minimumBytesPerSecond: Int
    /// The time for which the rate may stay below the minimum, in whole seconds and at least one.
    package var slowWindow: Duration
    /// The size of a body after decompression.
    package var maximumBodyBytes: Int
    /// The maximum ratio of a decompressed body to its size on the wire; it does not apply below ``freeBytes``.
    package var maximumRatio: Int
    /// The size of all header lines of one answer, interim answers and trailers included.
    package var maximumHeaderBytes: Int
    package var maximumRedirects: Int

    package init(
        connectDeadline: Duration = defaultConnectDeadline,
        totalDeadline: Duration = defaultTotalDeadline,
        minimumBytesPerSecond: Int = defaultMinimumBytesPerSecond,
        slowWindow: Duration = defaultSlowWindow,
        maximumBodyBytes: Int = defaultMaximumBodyBytes,
        maximumRatio: Int = defaultMaximumRatio,
        maximumHeaderBytes: Int = defaultMaximumHeaderBytes,
        maximumRedirects: Int = defaultMaximumRedirects
    ) {
        self.connectDeadline = connectDeadline
        self.totalDeadline = totalDeadline
        self.minimumBytesPerSecond = minimumBytesPerSecond
        self.slowWindow = slowWindow
        self.maximumBodyBytes = maximumBodyBytes
        self.maximumRatio = maximumRatio
        self.maximumHeaderBytes = maximumHeaderBytes
        self.maximumRedirects = maximumRedirects
    }
}

extension Duration {
    /// The number of whole milliseconds as libcurl takes it: from 0 to the largest `Int32`.
    var curlMilliseconds: Int { Int(min(max(wholeMilliseconds, 0), Int64(Int32.max))) }
}
