// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The grid of a display's pixels; lengths in points are rounded to this grid, so that edges are sharp.
struct PixelGrid: Hashable, Sendable {
    private let scale: Double

    /// Creates a grid with `scale` pixels per point, limited to the range from 1 to 4.
    ///
    /// Known displays have 1 to 3 pixels per point.
    init(scale: Int) { self.scale = Double(Self.pixels(perPoint: scale)) }

    /// Returns `scale`, a number of pixels per point, limited to the range from 1 to 4.
    static func pixels(perPoint scale: Int) -> Int { min(max(scale, 1), 4) }

    /// The size of one pixel in points.
    var pixel: Double { 1 / scale }

    // Adding zero turns -0 into 0; otherwise, two equal positions could have different digests.

    func nearest(_ value: Double) -> Double { (value * scale).rounded() / scale + 0 }

    func up(_ value: Double) -> Double { (value * scale - Self.noise).rounded(.up) / scale + 0 }

    func down(_ value: Double) -> Double { (value * scale + Self.noise).rounded(.down) / scale + 0 }

    /// The tolerance, in pixels, for floating-point errors in sums of thirds of a point.
    private static let noise = 1e-6
}
