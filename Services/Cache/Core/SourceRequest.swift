// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Digests
import Foundation
import WidgetSchema

/// What is sent to an origin.
struct SourceRequest: Hashable, Sendable {
    var url: String
    /// Sorted by name.
    var headers: [RequestHeader]
    var allowPrivateNetworks: Bool
    let id: SourceID
    /// Host and port: what requests are counted and spaced by.
    let host: String

    init(url: String, headers: [RequestHeader] = [], allowPrivateNetworks: Bool = false) {
        self.url = url
        self.headers = headers.sorted { ($0.name, $0.value) < ($1.name, $1.value) }
        self.allowPrivateNetworks = allowPrivateNetworks
        let text = (["GET", url] + self.headers.flatMap { [$0.name.lowercased(), $0.value] }).joined(separator: "\n")
        guard let id = SourceID(rawValue: String(SHA256.hexDigest(of: text).prefix(16))) else {
            preconditionFailure("the first 16 digits of a SHA-256 are a source id")
        }
        self.id = id
        let parts = URLComponents(string: url)
        let name = parts?.host?.lowercased() ?? ""
        host = parts?.port.map { "\(name):\($0)" } ?? name
    }
}
