// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A named arrangement of cells on a grid of ``BoardGrid/defaultColumns`` by ``BoardGrid/defaultRows`` fields.
public enum BoardPreset: String, CaseIterable, Sendable {
    /// One cell.
    case full
    /// Two cells side by side; on a board that is higher than wide, one above the other.
    case halves
    /// One large cell, and two one above the other beside it; on a board that is higher than wide, two below it.
    case oneTwo = "one-two"
    /// Two cells above two others.
    case twoTwo = "two-two"
    /// Two cells above three others; on a board that is higher than wide, one above twice two.
    case twoThree = "two-three"

    /// Returns the areas of the cells, in the order in which widgets fill them.
    public func areas(isPortrait: Bool) -> [BoardArea] {
        switch (self, isPortrait) {
        case (.full, _): [BoardArea(column: 1, row: 1, columns: 12, rows: 8)]
        case (.halves, false):
            [BoardArea(column: 1, row: 1, columns: 6, rows: 8), BoardArea(column: 7, row: 1, columns: 6, rows: 8)]
        case (.halves, true):
            [BoardArea(column: 1, row: 1, columns: 12, rows: 4), BoardArea(column: 1, row: 5, columns: 12, rows: 4)]
        case (.oneTwo, false):
            [
                BoardArea(column: 1, row: 1, columns: 7, rows: 8), BoardArea(column: 8, row: 1, columns: 5, rows: 4),
                BoardArea(column: 8, row: 5, columns: 5, rows: 4),
            ]
        case (.oneTwo, true):
            [
                BoardArea(column: 1, row: 1, columns: 12, rows: 4), BoardArea(column: 1, row: 5, columns: 6, rows: 4),
                BoardArea(column: 7, row: 5, columns: 6, rows: 4),
            ]
        case (.twoTwo, _):
            [
                BoardArea(column: 1, row: 1, columns: 6, rows: 4), BoardArea(column: 7, row: 1, columns: 6, rows: 4),
                BoardArea(column: 1, row: 5, columns: 6, rows: 4), BoardArea(column: 7, row: 5, columns: 6, rows: 4),
            ]
        case (.twoThree, false):
            [
                BoardArea(column: 1, row: 1, columns: 7, rows: 5), BoardArea(column: 8, row: 1, columns: 5, rows: 5),
                BoardArea(column: 1, row: 6, columns: 4, rows: 3), BoardArea(column: 5, row: 6, columns: 4, rows: 3),
                BoardArea(column: 9, row: 6, columns: 4, rows: 3),
            ]
        case (.twoThree, true):
            [
                BoardArea(column: 1, row: 1, columns: 12, rows: 3), BoardArea(column: 1, row: 4, columns: 6, rows: 3),
                BoardArea(column: 7, row: 4, columns: 6, rows: 3), BoardArea(column: 1, row: 7, columns: 6, rows: 2),
                BoardArea(column: 7, row: 7, columns: 6, rows: 2),
            ]
        }
    }
}
