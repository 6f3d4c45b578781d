// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

extension [Double] {
    /// Returns the sketch for the largest of these ascending scales whose sketch is not nil; nil if there is none.
    ///
    /// Each attempt halves the range: if the sketch for a scale is nil, no larger scale is tried.
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
