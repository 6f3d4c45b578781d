// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Digests
import WidgetSchema

/// SHA-256 over the wire's JSON of everything visible and every action.
enum LayoutDigest {
    static func of(_ layout: Layout) throws(WireError) -> ContentDigest { try digest(layout) }

    /// A row's digest leaves out where it stands, so that a row that moved is the same row.
    static func of(row: LayoutView) throws(WireError) -> ContentDigest {
        var row = row
        row.frame.x = 0
        row.frame.y = 0
        return try digest(row)
    }

    private static func digest(_ value: some Encodable) throws(WireError) -> ContentDigest {
        let text = SHA256.hexDigest(of: try WireJSON.encode(value))
        guard let digest = ContentDigest(rawValue: text) else {
            throw .cannotEncode("'\(text)' is not valid: \(ContentDigest.rule)")
        }
        return digest
    }
}
