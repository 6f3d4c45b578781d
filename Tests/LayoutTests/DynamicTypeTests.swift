// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing
import WidgetSchema

@testable import LayoutEngine

@Suite struct DynamicTypeTests {
    /// Size and leading at `large`, and at the two ends, from Apple's Human Interface Guidelines.
    @Test(
        arguments: [
            (LayoutFont.Style.largeTitle, "31/38", "34/41", "60/70"),
            (.title1, "25/31", "28/34", "58/68"),
            (.title2, "19/24", "22/28", "56/66"),
            (.title3, "17/22", "20/25", "55/65"),
            (.headline, "14/19", "17/22", "53/62"),
            (.body, "14/19", "17/22", "53/62"),
            (.callout, "13/18", "16/21", "51/60"),
            (.subheadline, "12/16", "15/20", "49/58"),
            (.footnote, "12/16", "13/18", "44/52"),
            (.caption1, "11/13", "12/16", "43/51"),
            (.caption2, "11/13", "11/13", "40/48"),
        ]
    )
    func stylesHaveTheSizesOfTheGuidelines(style: LayoutFont.Style, smallest: String, large: String, largest: String) {
        func text(_ category: ContentSizeCategory) -> String {
            let metrics = DynamicType.metrics(of: style, in: category)
            return "\(Int(metrics.size))/\(Int(metrics.leading))"
        }
        #expect(text(.extraSmall) == smallest)
        #expect(text(.large) == large)
        #expect(text(.accessibilityExtraExtraExtraLarge) == largest)
    }

    @Test(arguments: LayoutFont.Style.allCases) func sizesNeverShrinkAsTextGrows(style: LayoutFont.Style) {
        let metrics = ContentSizeCategory.allCases.map { DynamicType.metrics(of: style, in: $0) }
        for (smaller, larger) in zip(metrics, metrics.dropFirst()) {
            #expect(smaller.size <= larger.size)
            #expect(smaller.leading <= larger.leading)
            #expect(smaller.size < smaller.leading)
        }
    }
}
