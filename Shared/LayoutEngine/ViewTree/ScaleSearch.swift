// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

extension [Double] {
    /// Returns the sketch for the largest of these ascending scales whose sketch is not nil; nil if there is none.
    ///
    /// Each attempt halves the range: if the sketch for a scale is nil, no larger scale is tried.
    func sketchOfLargest(_ sketch: (Double) -> Canvas.Sketch?) -> Canvas.Sketch? {
        var found: Canvas.Sketch?
        var rest = self[...]
        while !rest.isEmpty {
            let middle = (rest.startIndex + rest.endIndex) / 2
            if let larger = sketch(rest[middle]) {
                found = larger
                rest = rest[(middle + 1)...]
            } else {
                rest = rest[..<middle]
            }
        }
        return found
    }
}
