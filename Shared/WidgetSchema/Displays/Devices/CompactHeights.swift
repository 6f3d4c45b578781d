// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The heights of Today widgets in compact mode, one for each text size.
///
/// Each measured height is two and a half times the height of a table row at the same text size.
public struct CompactHeights: Hashable, Sendable {
    private let heights: [ContentSizeCategory: Referenced<Double>]

    /// Creates the heights from one value for each text size, in ascending order of the text sizes.
    private init(_ values: [Referenced<Double>]) {
        heights = Dictionary(uniqueKeysWithValues: zip(ContentSizeCategory.allCases, values))
    }

    /// Returns the height in points at a text size, with a reference to the measurement or the rule that it comes from.
    public func height(_ category: ContentSizeCategory) -> Referenced<Double> {
        heights[category] ?? Referenced(110, .derived("the height at large"))
    }

    private static let simulator = Referenced<Double>.Reference.measured("iOS 10 and later, at this text size")
    private static let between = Referenced<Double>.Reference.derived("between the measured text sizes, in equal steps")
    private static let report = Referenced<Double>.Reference.derived(
        "interpolated between the heights at large and extraExtraExtraLarge; source: a report for iOS 11"
    )

    /// The heights on phones, and on all tablets but the largest.
    public static let regular = CompactHeights([
        Referenced(95, simulator), Referenced(100, between), Referenced(105, between), Referenced(110, simulator),
        Referenced(120, report), Referenced(130, between), Referenced(140, simulator),
        Referenced(177, between), Referenced(214, between), Referenced(251, between), Referenced(288, between),
        Referenced(325, simulator),
    ])

    private static let ratio = Referenced<Double>.Reference.derived(
        "2.5 rows, rounded to half a point; a row is 1.18 times as high as on a phone (measured)"
    )

    /// The heights on the 12.9-inch tablet.
    public static let large = CompactHeights([
        Referenced(112.5, simulator), Referenced(117.5, ratio), Referenced(123.75, ratio), Referenced(130, ratio),
        Referenced(141.25, ratio), Referenced(153.75, ratio), Referenced(165, simulator),
        Referenced(208.75, ratio), Referenced(252.5, ratio), Referenced(296.25, ratio), Referenced(340, ratio),
        Referenced(383.75, simulator),
    ])
}
