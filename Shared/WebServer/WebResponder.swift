// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The closures that decide about requests; the server calls them on its thread, so they must not block.
package struct WebResponder: Sendable {
    /// The closure that decides about a request whose headers have arrived; its body is empty.
    package typealias Admit = @Sendable (WebRequest) -> WebAdmission
    /// The closure that returns the response to a request that the server refuses.
    package typealias Refuse = @Sendable (WebRequest, WebRefusal) -> WebResponse

    let admit: Admit
    let refuse: Refuse

    package init(_ admit: @escaping Admit, refuse: @escaping Refuse = { $1.plainText }) {
        self.admit = admit
        self.refuse = refuse
    }
}
