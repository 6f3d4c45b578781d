// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Cryptography
import Foundation

/// The tags by which the bus recognises the answers to requests that it has forwarded, without remembering them.
///
/// A tag is the beginning of a keyed digest over the instance that got the request, the requester and the request's id.
/// It is a part of the route, which an instance returns with its answer.
struct RouteTags: Sendable {
    /// The length of a tag in bytes.
    static let length = 16

    private let key: [UInt8]

    init() {
        var generator = SystemRandomNumberGenerator()
        key = (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }

    /// Returns the tag of a request; the instance and the requester are named by the routing ids of their connections.
    func tag(instance: Data, requester: Data, id: Data) -> Data {
        var digest = SHA256()
        digest.update(key)
        for part in [instance, requester, id] {
            digest.update(withUnsafeBytes(of: UInt64(part.count).bigEndian) { Data($0) })
            digest.update(part)
        }
        return Data(digest.digest().prefix(Self.length))
    }
}
