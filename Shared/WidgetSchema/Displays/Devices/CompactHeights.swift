// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The heights of Today widgets in compact mode, one for each text size.
///
/// Each measured height is two and a half times the height of a table row at the same text size.
public struct CompactHeights: Hashable, Sendable {
    private let heights: [ContentSizeCategory: Sourced<Double>]

    /// Creates the heights from one value for each text size, in ascending order of the text sizes.
    private init(_ values: [Sourced<Double>]) {
        heights = Dictionary(uniqueKeysWithValues: zip(ContentSizeCategory.allCases, values))
    }

    /// Returns the height in points at a text size, with a reference to the measurement or the rule that it comes from.
    public func height(_ category: ContentSizeCategory) -> Sourced<Double> {
        heights[category] ?? Sourced(110, .derived("the height at large"))
    }

    private static let simulator = Sourced<Double>.Source.measured("iOS 10 and later, at this text size")
    private static let between = Sourced<Double>.Source.derived("between the measured text sizes, in equal steps")
    private static let report = Sourced<Double>.Source.derived(
        "interpolated between the heights at large and extraExtraExtraLarge; source: a report for iOS 11"
    )

    /// The heights on phones, and on all tablets but the largest.
    public static let regular = CompactHeights([
        Sourced(95, simulator), Sourced(100, between), Sourced(105, between), Sourced(110, simulator),
        Sourced(120, report), Sourced(130, between), Sourced(140, simulator),
        Sourced(177, between), Sourced(214, between), Sourced(251, between), Sourced(288, between),
        Sourced(325, simulator),
    ])

    private static let ratio = Sourced<Double>.Source.derived(
        "2.5 rows, rounded to half a point; a row is 1.18 times as high as on a phone (measured)"
    )

    /// The heights on the 12.9-inch tablet.
    public static let large = CompactHeights([
        Sourced(112.5, simulator), Sourced(117.5, ratio), Sourced(123.75, ratio), Sourced(130, ratio),
        Sourced(141.25, ratio), Sourced(153.75, ratio), Sourced(165, simulator),
        Sourced(208.75, ratio), Sourced(252.5, ratio), Sourced(296.25, ratio), Sourced(340, ratio),
        Sourced(383.75, simulator),
    ])
}
