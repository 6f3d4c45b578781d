// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import EventStreams
import WidgetSchema

/// A board, as `/boards/BOARD.json` and `/v1/boards` describe it.
///
/// While a new configuration reaches the widgets, all properties are those of the board in the last picture.
struct BoardDocument: Codable, Hashable, Sendable {
    struct Cell: Codable, Hashable, Sendable {
        var widget: WidgetID
        var display: DisplayName
        var name: String?
        /// The frame in pixels, before the rotation.
        var frame: Rectangle
        /// A Boolean value that indicates whether the widget exists.
        var exists: Bool
        /// The cycle whose layout was drawn; absent if the cell is not in the picture.
        ///
        /// Later cycles of the widget may look the same.
        var sequence: SequenceNumber?
        /// The digest of the layout that the picture shows; absent if the cell is not in the picture.
        var digest: ContentDigest?
    }

    var id: BoardID
    /// The revision of the configuration that the picture shows; that of the configuration if there is no picture yet.
    var revision: String
    /// A Boolean value that indicates whether the picture shows the latest updates.
    ///
    /// It is false while a new configuration reaches the widgets, and while layouts cannot be obtained.
    var isCurrent: Bool
    /// The digest of what the picture shows; absent if there is no picture yet.
    ///
    /// In lists, it is the digest of the latest updates.
    var digest: ContentDigest?
    /// The entity tag of the PNG; absent in lists, and if there is no picture yet.
    var etag: String?
    /// The width of the picture in pixels.
    var width: Int
    /// The height of the picture in pixels.
    var height: Int
    var palette: PanelPalette
    var rotation: Panel.Rotation
    var model: String?
    /// The maximum number of bytes of a PNG that the model accepts; absent if it is unknown.
    var byteLimit: Int?
    /// The time of the last visible change; absent if it is unknown.
    var lastChange: Instant?
    /// The earliest time at which the board may look different.
    var nextChange: Instant?
    /// The next time at which the board will look different, or may, without new content.
    var nextCertainChange: Instant?
    var cells: [Cell]
    /// The address of the picture as PNG.
    var png: String
    /// The address of the picture as SVG.
    var svg: String

    /// Creates the document of a board; `drawn` is what its picture shows, nil in lists.
    init(_ board: Board, _ drawn: DrawnBoard?, basePath: String) {
        id = board.id
        revision = board.revision
        isCurrent = false
        digest = drawn?.digest
        etag = drawn?.key(.png)?.entityTag
        (width, height) = board.pictureSize
        (palette, rotation, model, byteLimit) = (
            board.panel.palette, board.panel.rotation, board.model, board.byteLimit
        )
        lastChange = drawn?.lastChange
        cells = board.cells.enumerated().map { index, cell in
            let shown = drawn?.cells.first { $0.cell == index && $0.display == cell.display }
            return Cell(
                widget: cell.widget,
                display: cell.display,
                name: cell.name,
                frame: cell.frame,
                exists: cell.exists,
                sequence: shown?.sequence,
                digest: shown?.digest
            )
        }
        png = "\(basePath)/boards/\(board.id).png"
        svg = "\(basePath)/boards/\(board.id).svg"
    }
}

/// The boards of the configuration, in its order.
struct BoardList: Codable, Hashable, Sendable {
    var boards: [BoardDocument]
}
