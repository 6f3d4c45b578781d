// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The limits of one request; if a limit is exceeded, the request ends with a failure that names this limit.
package struct HTTPLimits: Sendable, Hashable {
    package static let defaultTotalDeadline = Duration.seconds(30)
    package static let defaultMaximumBodyBytes = 15 * 1024 * 1024
    package static let defaultMaximumRatio = 200

    /// The maximum size in bytes of a decompressed body to which ``maximumRatio`` does not apply.
    ///
    /// A short body is harmless, even if it is compressed strongly.
    package static let ratioExemptBytes = 1024 * 1024

    /// The maximum time for connecting to one host, including name resolution and the TLS handshake.
    package var connectDeadline = Duration.seconds(10)
    /// The maximum time for the whole request, including all redirects.
    package var totalDeadline = defaultTotalDeadline
    /// The transfer rate in bytes per second below which an answer counts as too slow.
    package var minimumBytesPerSecond = 64
    /// The maximum time for which the transfer rate may stay below `minimumBytesPerSecond`.
    ///
    /// Rounded down to whole seconds; a value of less than one second counts as one second.
    package var slowWindow = Duration.seconds(15)
    /// The maximum size of a body after decompression, in bytes.
    package var maximumBodyBytes = defaultMaximumBodyBytes
    /// The maximum ratio of a body's decompressed size to its received size.
    ///
    /// It applies to bodies whose decompressed size is larger than ``ratioExemptBytes``.
    package var maximumRatio = defaultMaximumRatio
    /// The maximum total size of the header lines of one answer, in bytes.
    ///
    /// The header lines of interim answers and the trailers count too.
    package var maximumHeaderBytes = 64 * 1024
    package var maximumRedirects = 5

    package init() {}
}

extension Duration {
    /// The duration in whole milliseconds, limited to the range of libcurl: from 0 to the largest `Int32`.
    var curlMilliseconds: Int { Int(min(max(wholeMilliseconds, 0), Int64(Int32.max))) }
}
