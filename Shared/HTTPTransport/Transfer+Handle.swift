// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CCurl

/// Typed access to the libcurl handle of a transfer.
extension Transfer {
    func set(_ option: CURLoption, _ value: String) {
        _ = tidings_curl_set_string(handle, option, value)
    }

    func set(_ option: CURLoption, _ value: Int) {
        _ = tidings_curl_set_long(handle, option, value)
    }

    func long(_ info: CURLINFO) -> Int {
        var value = 0
        _ = tidings_curl_get_long(handle, info, &value)
        return value
    }

    func offset(_ info: CURLINFO) -> curl_off_t {
        var value: curl_off_t = 0
        _ = tidings_curl_get_offset(handle, info, &value)
        return value
    }

    func string(_ info: CURLINFO) -> String {
        var value: UnsafeMutablePointer<CChar>?
        _ = tidings_curl_get_string(handle, info, &value)
        return value.map { String(cString: $0) } ?? ""
    }
}
