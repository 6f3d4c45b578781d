// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

extension [Double] {
    /// Returns the sketch of the largest suitable size; nil if no size is suitable.
    ///
    /// The elements are scales or font sizes in ascending order. `sketch` returns nil if a size is too large; larger ones
    /// are then not tried. Each attempt halves the range.
    func sketchOfLargest(_ sketch: (Double) -> Canvas.Sketch?) -> Canvas.Sketch? {
        var found: Canvas.Sketch?
        var rest = indices
        while !rest.isEmpty {
            let middle = (rest.lowerBound + rest.upperBound) / 2
            if let larger = sketch(self[middle]) {
                found = larger
                rest = (middle + 1)..<rest.upperBound
            } else {
                rest = rest.lowerBound..<middle
            }
        }
        return found
    }
}
