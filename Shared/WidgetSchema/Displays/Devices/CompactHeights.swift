// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The heights of Today widgets in compact mode, one for each text size.
///
/// Each measured height is two and a half times the height of a table row at the same text size.
public struct CompactHeights: Hashable, Sendable {
    private let heights: [ContentSizeCategory: Double]

    /// Creates the heights from one value for each text size, in ascending order of the text sizes.
    private init(_ values: [Double]) {
        heights = Dictionary(uniqueKeysWithValues: zip(ContentSizeCategory.allCases, values))
    }

    /// Returns the height at a text size, in points.
    public func height(_ category: ContentSizeCategory) -> Double { heights[category] ?? 110 }

    /// The heights on phones, and on all tablets but the largest.
    ///
    /// 95, 110, 140 and 325 were measured on iOS 10 and later. 120 is interpolated between the heights at `large` and
    /// `extraExtraExtraLarge`, as in a report for iOS 11. The others are between the measured ones, in equal steps.
    public static let regular = CompactHeights([95, 100, 105, 110, 120, 130, 140, 177, 214, 251, 288, 325])

    /// The heights on the 12.9-inch tablet.
    ///
    /// 112.5, 165 and 383.75 were measured on iOS 10 and later. The others are 2.5 rows, rounded to half a point; a row
    /// is 1.18 times as high as on a phone (measured).
    public static let large = CompactHeights([
        112.5, 117.5, 123.75, 130, 141.25, 153.75, 165, 208.75, 252.5, 296.25, 340, 383.75,
    ])
}
