// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The state of a board: its cells of one revision, all of them.
public struct BoardState: Hashable, Sendable {
    /// One cell, as the latest update of its widget describes it.
    public struct Cell: Hashable, Sendable {
        public var place: BoardPlace
        public var widget: WidgetID
        public var display: DisplayName
        public var sequence: SequenceNumber
        /// The digest of the layout.
        public var digest: ContentDigest
        /// The time of the last change of the digest; nil if it is unknown.
        public var changed: Instant?
        /// The next certain change; see ``DisplayState/nextChange``.
        public var nextChange: Instant?

        public init(
            place: BoardPlace,
            widget: WidgetID,
            display: DisplayName,
            sequence: SequenceNumber,
            digest: ContentDigest,
            changed: Instant? = nil,
            nextChange: Instant? = nil
        ) {
            self.place = place
            self.widget = widget
            self.display = display
            self.sequence = sequence
            self.digest = digest
            self.changed = changed
            self.nextChange = nextChange
        }
    }

    public let id: BoardID
    public let revision: String
    /// The cells, in the order of the board.
    public let cells: [Cell]

    /// Creates the state of a board; nil unless `cells` are all cells of one revision, each once.
    public init?(_ id: BoardID, _ cells: [Cell]) {
        guard let first = cells.first?.place, first.of == cells.count,
            cells.allSatisfy({ $0.place.revision == first.revision && $0.place.of == first.of && $0.place.id == id })
        else { return nil }
        let sorted = cells.sorted { $0.place.cell < $1.place.cell }
        guard zip(sorted, sorted.dropFirst()).allSatisfy({ $0.place.cell < $1.place.cell }) else { return nil }
        self.id = id
        self.cells = sorted
        revision = first.revision
    }

    /// The time of the last visible change; nil if it is unknown.
    public var lastChange: Instant? { cells.compactMap(\.changed).max() }

    /// The next certain change of a cell; nil if there is none.
    public var nextCertainChange: Instant? { cells.compactMap(\.nextChange).min() }

    /// The highest sequence number of the cells.
    public var newest: SequenceNumber { cells.map(\.sequence).max() ?? .zero }

    /// A Boolean value that indicates whether the board shows the time of its last change.
    public var hasHeader: Bool { cells.contains { $0.place.hasHeader == true } }

    /// The text whose SHA-256 is the board's digest: two states with the same text look the same.
    ///
    /// Its lines end with a newline: the revision, then `CELL WIDGET DIGEST` for each cell. A board with a header has the
    /// line `changed YYYY-MM-DDTHH:MM`, the last change in UTC, because the header shows it to the minute.
    public var visibleText: String {
        Self.visibleText(
            revision,
            cells.map { ($0.place.cell, $0.widget, $0.digest) },
            changed: hasHeader ? lastChange : nil
        )
    }

    /// Returns the text of ``visibleText`` for cells in order; `changed` is nil for a board without a header.
    public static func visibleText(
        _ revision: String,
        _ cells: [(cell: Int, widget: WidgetID, digest: ContentDigest)],
        changed: Instant?
    ) -> String {
        var text = revision + "\n"
        for (cell, widget, digest) in cells { text += "\(cell) \(widget) \(digest)\n" }
        if let changed { text += "changed \(changed.description.prefix(minuteLength))\n" }
        return text
    }

    /// The number of characters of a time up to its minutes, as in `2026-11-28T08:41`.
    private static let minuteLength = 16
}
