// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// A rectangle whose shorter sides are half circles, or a circle if all sides are equal: the shape of round displays.
struct Capsule: Hashable, Sendable {
    /// The size in points.
    let size: Size

    /// Returns the width at a vertical distance from the middle; 0 beyond the edge.
    func width(at distance: Double) -> Double {
        let radius = min(size.width, size.height) / 2
        let fromCenter = max(abs(distance) - (size.height / 2 - radius), 0)
        guard fromCenter < radius else { return 0 }
        return size.width - 2 * radius + 2 * (radius * radius - fromCenter * fromCenter).squareRoot()
    }

    /// Returns whether the capsule contains a rectangle.
    ///
    /// The coordinates of `rectangle` are measured from the top left corner of the capsule's frame. On the left and on
    /// the right, the rectangle may extend beyond the capsule by up to `tolerance` points.
    func contains(_ rectangle: Rectangle, tolerance: Double) -> Bool {
        let (middleX, middleY) = (size.width / 2, size.height / 2)
        let reach = max(abs(rectangle.x - middleX), abs(rectangle.x + rectangle.width - middleX))
        return [rectangle.y, rectangle.y + rectangle.height].allSatisfy { edge in
            2 * reach <= width(at: edge - middleY) + 2 * tolerance
        }
    }
}
