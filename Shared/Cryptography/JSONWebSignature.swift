// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A signed text in compact form, `HEADER.PAYLOAD.SIGNATURE` (RFC 7515), with the algorithm ES256 (RFC 7518).
package enum JSONWebSignature {
    /// Returns the compact form; nil if the text cannot be signed.
    ///
    /// `header` and `payload` are JSON; the header has the member `"alg":"ES256"`.
    package static func es256(header: String, payload: String, key: P256PrivateKey) -> String? {
        let text = Base64URL.encode(Array(header.utf8)) + "." + Base64URL.encode(Array(payload.utf8))
        return key.signature(of: Array(text.utf8)).map { "\(text).\(Base64URL.encode($0))" }
    }
}
