// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The pixels of a display: lengths in points are moved onto it so that edges are sharp.
struct PixelGrid: Hashable, Sendable {
    private let scale: Double

    /// Pixels per point; the world's displays have 1 to 3.
    init(scale: Int) { self.scale = Double(Self.pixels(perPoint: scale)) }

    /// As many as a display says, and no more than can be.
    static func pixels(perPoint scale: Int) -> Int { min(max(scale, 1), 4) }

    /// One pixel in points.
    var pixel: Double { 1 / scale }

    // Adding zero turns -0 into 0: both are the same place, and would have different digests.

    func nearest(_ value: Double) -> Double { (value * scale).rounded() / scale + 0 }

    func up(_ value: Double) -> Double { (value * scale - Self.noise).rounded(.up) / scale + 0 }

    func down(_ value: Double) -> Double { (value * scale + Self.noise).rounded(.down) / scale + 0 }

    /// What additions of thirds of a point lose, in pixels: a length that lies on the grid but for this stays there.
    private static let noise = 1e-6
}
