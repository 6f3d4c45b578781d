// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A width and a height, in points.
public struct Size: Codable, Hashable, Sendable {
    public var width: Double
    public var height: Double

    public init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }
}

/// A rectangle in points; `x` and `y` are the distances from the top left corner of the parent, and `y` grows
/// downwards.
public struct Rectangle: Codable, Hashable, Sendable {
    public var x: Double
    public var y: Double
    public var width: Double
    public var height: Double

    public init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }
}

/// The distances between the edges of a view and its content, in points.
///
/// If text runs from left to right, `leading` is the left edge and `trailing` is the right edge. If text runs from
/// right to left, it is the other way round.
public struct EdgeInsets: Codable, Hashable, Sendable {
    public var top: Double
    public var leading: Double
    public var bottom: Double
    public var trailing: Double

    public init(top: Double = 0, leading: Double = 0, bottom: Double = 0, trailing: Double = 0) {
        self.top = top
        self.leading = leading
        self.bottom = bottom
        self.trailing = trailing
    }
}
