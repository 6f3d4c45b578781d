// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

extension [Double] {
    /// Returns the sketch for the largest of these ascending scales whose sketch is not nil; nil if there is none.
    ///
    /// If the sketch for a scale is nil, no larger scale is tried. The smallest scale is tried first, because the usual
    /// content is long enough to fill the display at the ordinary scale; each further attempt halves the range.
    func sketchOfLargest(_ sketch: (Double) -> Canvas.Sketch?) -> Canvas.Sketch? {
        guard let smallest = first, var found = sketch(smallest) else { return nil }
        var rest = dropFirst()
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
