// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CCurl
import Foundation
import WidgetSchema

/// Functions that prepare the method and the headers of a hop, which is one request to one address.
extension Transfer {
    func prepareMethod() {
        switch method {
        case "GET" where requestBody == nil:
            set(CURLOPT_HTTPGET, 1)
        case "HEAD":
            set(CURLOPT_NOBODY, 1)
        default:
            if let requestBody {
                set(CURLOPT_POST, 1)
                tidings_curl_set_offset(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(requestBody.count))
                requestBody.withUnsafeBytes { bytes in
                    _ = tidings_curl_set_pointer(
                        handle,
                        CURLOPT_COPYPOSTFIELDS,
                        UnsafeMutableRawPointer(mutating: bytes.baseAddress)
                    )
                }
            }
            set(CURLOPT_CUSTOMREQUEST, method)
        }
    }

    func prepareHeaders() {
        curl_slist_free_all(headerList)
        headerList = nil
        let shown = request.headers.filter { mayShowSecrets || RequestHeader.isHarmless($0.name) }
        let names = Set(shown.map { $0.name.lowercased() })
        for header in shown {
            // In libcurl's syntax, a semicolon sends an empty value; a colon alone removes the header.
            let line = header.value.isEmpty ? "\(header.name);" : "\(header.name): \(header.value)"
            addHeader(OpaqueBytes.isOpaque(header.name) ? OpaqueBytes.bytes(line) : Array(line.utf8))
        }
        // Suppress the headers that libcurl would add: a guessed content type, and `Expect: 100-continue`.
        if requestBody != nil {
            if !names.contains("content-type") { addHeader(Array("Content-Type:".utf8)) }
            addHeader(Array("Expect:".utf8))
        }
        if !names.contains("user-agent") { set(CURLOPT_USERAGENT, configuration.userAgent) }
        if !names.contains("accept-encoding") {
            addHeader(Array("Accept-Encoding: \(ContentDecoder.acceptEncoding)".utf8))
        }
        _ = tidings_curl_set_list(handle, CURLOPT_HTTPHEADER, headerList)
    }

    private func addHeader(_ line: [UInt8]) {
        let extended = (line + [0]).withUnsafeBytes { bytes in
            curl_slist_append(headerList, bytes.baseAddress?.assumingMemoryBound(to: CChar.self))
        }
        headerList = extended ?? headerList
    }
}
