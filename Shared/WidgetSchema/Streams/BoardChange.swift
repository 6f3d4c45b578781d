// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The new state of a board, as the service `delivery` sends it to destinations.
///
/// It is not published on the bus: a reader of updates makes it from them, see ``BoardView``.
public struct BoardChange: EventPayload {
    public static let eventType = "tidings.board.v1"
    public static let publisher = ServiceName.delivery

    /// One cell of the board.
    public struct Cell: Codable, Hashable, Sendable {
        public var widget: WidgetID
        public var display: DisplayName
        public var sequence: SequenceNumber
        public var digest: ContentDigest

        public init(widget: WidgetID, display: DisplayName, sequence: SequenceNumber, digest: ContentDigest) {
            self.widget = widget
            self.display = display
            self.sequence = sequence
            self.digest = digest
        }
    }

    public var board: BoardID
    public var revision: String
    /// The SHA-256 of ``BoardState/visibleText``.
    public var digest: ContentDigest
    /// The time of the last visible change; nil if it is unknown.
    public var lastChange: Instant?
    /// The next time at which the board may look different without new content; nil if there is none.
    public var nextChange: Instant?
    /// The cells, in the order of the board.
    public var cells: [Cell]

    /// Creates the event's data for a board's state; `digest` is that of its visible text.
    public init(_ state: BoardState, digest: ContentDigest) {
        board = state.id
        revision = state.revision
        self.digest = digest
        lastChange = state.lastChange
        nextChange = state.nextCertainChange
        cells = state.cells.map {
            Cell(widget: $0.widget, display: $0.display, sequence: $0.sequence, digest: $0.digest)
        }
    }
}
