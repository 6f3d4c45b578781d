// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The font sizes that are tried where text may be smaller or larger than ordinary, in points.
///
/// The sizes are the same at all text sizes, and contain those of the styles that become smaller. The largest of them that fits is
/// therefore never smaller at a larger text size: only the limits depend on the text size, and they grow with it.
enum TypeLadder {
    private static let sizes: [Double] = [
        11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 28, 30, 32, 33, 36, 37, 38, 40, 42, 43, 44, 47,
        49, 51,
        53, 58, 64, 70, 77, 85, 93, 102, 112, 123, 135, 149, 164, 180,
    ]

    /// Returns the sizes in a range, from the largest to the smallest.
    static func descending(_ range: ClosedRange<Double>) -> [Double] { sizes.reversed().filter(range.contains) }

    /// Returns the sizes that are smaller than `size`, from the largest to the smallest one that is at least `least`.
    static func descending(below size: Double, atLeast least: Double) -> [Double] {
        sizes.reversed().filter { $0 < size && $0 >= least }
    }

    /// Returns the largest size of the ladder that is at most `size`, or the smallest of all.
    static func down(_ size: Double) -> Double { sizes.last { $0 <= size } ?? DynamicType.smallestSize }

    /// Returns the minimum size of a text that becomes smaller before it is cut, in points.
    ///
    /// At accessibility text sizes, it grows with the height of compact mode: text of this size never has more lines there at
    /// a larger text size. So a text that is whole at one of these text sizes is whole at the smaller ones.
    static func smallestText(in category: ContentSizeCategory) -> Double {
        switch category {
        case .accessibilityLarge: 14
        case .accessibilityExtraLarge: 17
        case .accessibilityExtraExtraLarge: 21
        case .accessibilityExtraExtraExtraLarge: 23
        default: DynamicType.smallestSize
        }
    }
}
