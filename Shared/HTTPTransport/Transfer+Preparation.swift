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
        var lines: [String] = []
        // Suppress the headers that libcurl would add: a guessed content type, and `Expect: 100-continue`.
        if requestBody != nil { lines += ["Content-Type:", "Expect:"] }
        for header in request.headers where mayShowSecrets || RequestHeader.isHarmless(header.name) {
            if header.name.lowercased() == "content-type" { lines.removeAll { $0 == "Content-Type:" } }
            // In libcurl's syntax, a semicolon sends an empty value; a colon alone removes the header.
            lines.append(header.value.isEmpty ? "\(header.name);" : "\(header.name): \(header.value)")
        }
        if !request.headers.contains(where: { $0.name.lowercased() == "user-agent" }) {
            set(CURLOPT_USERAGENT, configuration.userAgent)
        }
        if !request.headers.contains(where: { $0.name.lowercased() == "accept-encoding" }) {
            lines.append("Accept-Encoding: \(ContentDecoder.acceptEncoding)")
        }
        curl_slist_free_all(headerList)
        headerList = nil
        for line in lines {
            let name = String(line.prefix { $0 != ":" && $0 != ";" })
            let bytes = OpaqueBytes.isOpaque(name) ? OpaqueBytes.bytes(line) : Array(line.utf8)
            let extended = (bytes + [0]).withUnsafeBytes { bytes in
                curl_slist_append(headerList, bytes.baseAddress?.assumingMemoryBound(to: CChar.self))
            }
            guard let extended else { break }
            headerList = extended
        }
        _ = tidings_curl_set_list(handle, CURLOPT_HTTPHEADER, headerList)
    }
}
