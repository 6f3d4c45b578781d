// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CCurl

/// The decision of a transfer between HTTP/2 and HTTP/1.1.
///
/// Some servers offer HTTP/2 and break its rules. After such an error, the request is repeated once by HTTP/1.1. Used
/// only on the thread of its transfer.
struct HTTP2Fallback: ~Copyable {
    private let avoidsHTTP2: Bool
    /// A Boolean value that indicates whether HTTP/2 has failed, so that HTTP/1.1 is used.
    private(set) var isActive = false
    /// The buffer for libcurl's description of an error.
    private let description = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

    init(avoidsHTTP2: Bool) {
        self.avoidsHTTP2 = avoidsHTTP2
        description.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    }

    deinit { description.deallocate() }

    /// Sets the version of HTTP for the next hop of a transfer.
    func prepare(_ handle: UnsafeMutableRawPointer) {
        description.pointee = 0
        tidings_curl_set_pointer(handle, CURLOPT_ERRORBUFFER, UnsafeMutableRawPointer(description))
        let version = avoidsHTTP2 || isActive ? CURL_HTTP_VERSION_1_1 : CURL_HTTP_VERSION_2TLS
        _ = tidings_curl_set_long(handle, CURLOPT_HTTP_VERSION, Int(version))
        // The failed connection must not be used again.
        if isActive { _ = tidings_curl_set_long(handle, CURLOPT_FRESH_CONNECT, 1) }
    }

    /// Returns whether a hop that ended with `code` must be repeated by HTTP/1.1; if so, the next hop uses it.
    mutating func begins(after code: CURLcode) -> Bool {
        guard !avoidsHTTP2, !isActive, isOfHTTP2(code) else { return false }
        isActive = true
        return true
    }

    /// Returns whether `code` reports an error in the framing or the protocol of HTTP/2.
    ///
    /// libcurl reports some of these errors as errors of reading or writing, with a description that names HTTP/2 or its
    /// library.
    private func isOfHTTP2(_ code: CURLcode) -> Bool {
        switch code {
        case CURLE_HTTP2, CURLE_HTTP2_STREAM: return true
        case CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING:
            let text = String(cString: description).lowercased()
            return text.contains("http2") || text.contains("http/2")
        default: return false
        }
    }
}
