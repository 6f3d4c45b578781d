// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Cryptography
import Foundation
import WidgetSchema

/// The layouts that a picture of a board shows, all of one revision.
struct DrawnBoard: Codable, Hashable, Sendable {
    /// The layout of one cell.
    struct Cell: Codable, Hashable, Sendable {
        /// The zero-based index of the cell on the board.
        var cell: Int
        var widget: WidgetID
        var display: DisplayName
        /// The cycle whose layout was drawn.
        var sequence: SequenceNumber
        /// The digest of the layout that was drawn.
        var digest: ContentDigest
    }

    /// The board in the revision of the cells.
    var board: Board
    var cells: [Cell]
    /// The time of the last visible change; nil if it is unknown.
    var lastChange: Instant?
    /// A Boolean value that indicates whether the picture shows ``lastChange``.
    var hasHeader: Bool
    /// The versions of the engines that drew the layouts; layouts of equal digests may have other pixels otherwise.
    var engines: [String]
    /// The time of the picture's last modification in Unix seconds, which grows with each change of the picture; nil if it
    /// is unknown.
    var lastModified: Int64?

    var revision: String { board.revision }

    /// The digest of what is shown; equal to that of the board's state unless another engine drew the layouts.
    var digest: ContentDigest? {
        let text = BoardState.visibleText(
            revision,
            cells.map { ($0.cell, $0.widget, $0.digest) },
            changed: hasHeader ? lastChange : nil
        )
        return ContentDigest(rawValue: SHA256.hexDigest(of: text))
    }

    /// The number of hexadecimal digits in the part of ``key(_:)`` that stands for engines and options.
    private static let markDigits = 16

    /// Returns the name of a picture; pictures of the same name have the same bytes.
    func key(_ format: RenderFormat) -> PictureKey? {
        let mark = SHA256.hexDigest(of: ([board.id.rawValue] + engines).joined(separator: " ")).prefix(Self.markDigits)
        return digest.map { PictureKey(digest: $0, mark: String(mark), format: format) }
    }
}

extension BoardState {
    /// The digest of the board: within a revision, it changes if and only if the board looks different.
    var digest: ContentDigest? { ContentDigest(rawValue: SHA256.hexDigest(of: visibleText)) }
}
