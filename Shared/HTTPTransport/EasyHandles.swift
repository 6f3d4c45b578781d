// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CCurl

/// libcurl's handles of transfers that have ended, for the next transfers.
///
/// Making and freeing one costs as much as the rest of the preparation of a transfer. Used only on the thread of a
/// `TransferLoop`.
final class EasyHandles {
    private static let maximum = 256

    private var spare: [UnsafeMutableRawPointer] = []

    deinit { for handle in spare { curl_easy_cleanup(handle) } }

    /// Returns a handle without options; nil if libcurl is out of memory.
    func take() -> UnsafeMutableRawPointer? { spare.popLast() ?? curl_easy_init() }

    /// Takes a handle that no multi handle contains.
    func giveBack(_ handle: UnsafeMutableRawPointer) {
        guard spare.count < Self.maximum else { return curl_easy_cleanup(handle) }
        // Its options point into the transfer that has ended.
        curl_easy_reset(handle)
        spare.append(handle)
    }
}
