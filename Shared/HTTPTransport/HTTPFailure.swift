// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The reason why a request got no usable answer.
package struct HTTPFailure: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        case cancelled
        case timedOut
        case connectionFailed
        case nameNotResolved
        case tls
        case refusedAddress
        case refusedScheme
        case tooManyRedirects
        case bodyTooLarge
        case bodyTooDense
        case headersTooLarge
        /// The body cannot be decoded, because its compressed data is invalid or truncated, or because it has too many
        /// content codings.
        case badContentCoding
        case tooSlow
        case badURL
        case protocolError
    }

    package var kind: Kind
    /// The URL whose request failed: the requested URL or, after redirects, the target of the last one.
    ///
    /// User name and password are left out, unless the URL cannot be parsed or the client has stopped.
    package var url: String
    /// One sentence that names the problem and, if a limit was exceeded, the limit.
    package var message: String
    /// The error code of libcurl (`CURLcode`); zero if the failure was not reported by libcurl.
    package var curlCode: Int

    package init(kind: Kind, url: String, message: String, curlCode: Int = 0) {
        self.kind = kind
        self.url = url
        self.message = message
        self.curlCode = curlCode
    }

    package var description: String {
        curlCode == 0 ? "\(url): \(message)" : "\(url): \(message) (curl \(curlCode))"
    }
}
