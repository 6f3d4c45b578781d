// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Cryptography
import Foundation
import WidgetSchema

/// The name of a picture or a layout: all values that determine its bytes.
///
/// Two widgets that look equal have pictures of the same name. Layouts name their widget and display, and differ.
struct PictureKey: Hashable, Sendable {
    /// The digest of the layout that was drawn.
    let digest: ContentDigest
    /// A digest of everything else that determines the bytes.
    let mark: String
    let format: RenderFormat

    /// The value of the `ETag` header: pictures with equal values have equal bytes.
    ///
    /// Layouts have weak tags. Layouts with equal values show the same and do the same, but may name different cycles.
    var entityTag: String { (format == .layout ? "W/" : "") + "\"\(urlText)\"" }

    /// The key as a text for use in URLs.
    var urlText: String { "\(digest)-\(mark)-\(format.rawValue)" }
}

extension PictureKey {
    /// The number of hexadecimal digits in ``mark``.
    private static let markDigits = 16

    /// Creates the name of a picture of `drawn`; `order` is the order that `drawn` answers.
    init(_ drawn: DrawnLayout, _ format: RenderFormat, of order: PictureOrder) {
        digest = drawn.digest
        self.format = format
        var parts = [drawn.surface]
        if format == .layout {
            let request = order.request
            parts += [request.widget.rawValue, request.display.rawValue] + order.links.schemes.sorted()
        }
        mark = String(SHA256.hexDigest(of: Data(parts.joined(separator: " ").utf8)).prefix(Self.markDigits))
    }
}
