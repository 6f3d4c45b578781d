// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The size of a panel, such as a dashboard or electronic paper.
///
/// A client can request a layout or a picture for a panel of any valid size. The configuration need not contain a
/// display of this size.
public struct PanelSize: Codable, Hashable, Sendable {
    /// The valid widths and heights in points.
    public static let lengths = 16...4096
    public static let scales = 1...3

    /// The width in points.
    public var width: Int
    /// The height in points.
    public var height: Int
    /// The number of pixels per point.
    public var scale: Int

    public init(width: Int, height: Int, scale: Int) {
        self.width = width
        self.height = height
        self.scale = scale
    }

    /// A Boolean value that indicates whether all values are within their ranges.
    public var isValid: Bool {
        Self.lengths.contains(width) && Self.lengths.contains(height) && Self.scales.contains(scale)
    }

    /// Returns a display of the family `panel` with this size and the other properties of `display`.
    ///
    /// It has the default margins of a panel unless `display` is one.
    public func applied(to display: Display) -> Display {
        var panel = display
        if display.family != .panel { panel.insets = .panel(width: Double(width)) }
        panel.family = .panel
        panel.mode = nil
        panel.compactHeight = nil
        (panel.width, panel.maximumHeight, panel.scale) = (Double(width), Double(height), scale)
        return panel
    }
}
