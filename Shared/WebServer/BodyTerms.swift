// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The terms on which the body of a request is read.
struct BodyTerms: Sendable {
    /// The client whose bodies count together.
    let client: String
    /// The maximum size of the body in bytes; 0 if the request needs no body, so that a small one is discarded.
    let maximumBytes: Int

    /// Returns the reason if a body with a number of bytes is too large.
    func refusal(ofBodyOf bytes: Int) -> WebRefusal? {
        let maximum = maximumBytes > 0 ? maximumBytes : WebServerLimits.maximumIgnoredBodyBytes
        return bytes > maximum ? .bodyTooLarge(maximum: maximumBytes) : nil
    }
}
