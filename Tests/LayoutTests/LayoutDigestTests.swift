// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing
import WidgetSchema

@testable import LayoutEngine

/// The digests of layouts, which subscribers and stores compare with those of earlier versions.
///
/// Another digest for an unchanged layout would announce every widget as `newData` once, after an upgrade. The expected
/// digests come from a program in Python that writes the same bytes; ``LayoutDigest`` describes what they contain.
@Suite struct LayoutDigestTests {
    private static let font = LayoutFont(style: .body, weight: .semibold, italic: true, size: 17, leading: 22)

    private static func label(_ lines: [String]) -> LayoutView {
        let lines = lines.enumerated().map { index, text in
            TextLine(text: text, x: 1.5, baseline: 10.0004 + 20 * Double(index), width: 40)
        }
        return LayoutView(
            kind: .label,
            frame: Rectangle(x: 2.25, y: -3, width: 100, height: 20),
            text: LayoutText(lines: lines, font: font, color: .secondaryLabel)
        )
    }

    private static let symbol = LayoutView(
        kind: .image,
        frame: Rectangle(x: 5, y: 6, width: 7, height: 8.0005),
        image: LayoutImage(symbol: "sun.max", color: .tint)
    )

    private static func row(_ views: [LayoutView]) -> LayoutView {
        LayoutView(
            kind: .row,
            frame: Rectangle(x: 10, y: 20, width: 300, height: 64),
            action: .open(url: "https://a.example/ü"),
            views: views
        )
    }

    private static func layout(_ views: [LayoutView]) -> Layout {
        Layout(
            size: Size(width: 320, height: 110.5),
            appearance: .dark,
            largestMode: .compact,
            link: "https://b.example/",
            views: views
        )
    }

    private static let views = [
        row([label(["Grüße 東京", "", "second…"]), symbol]),
        LayoutView(kind: .divider, frame: Rectangle(x: 0, y: 84, width: 320, height: 0.333)),
        LayoutView(
            kind: .button,
            frame: Rectangle(x: 0, y: 90, width: 320, height: 44),
            action: .command(.setExpanded(true)),
            views: [label(["Show more"])]
        ),
    ]

    @Test(arguments: [
        (true, "7f63be840125045eb69a355d47cf9ea68db483696800e3c5a5cb5f62f660e4e2"),
        (false, "04e688485a3d60989a462b72b38992fcf5af57f588cc5c190da9a0f45014a7c4"),
    ])
    func aLayoutHasTheDigestThatEarlierVersionsGiveIt(hasContent: Bool, digest: String) {
        #expect(LayoutDigest.of(Self.layout(Self.views), hasContent: hasContent).rawValue == digest)
    }

    @Test func aRowHasTheSameDigestWhereverItIs() {
        let digest = "da079e6d3840287f1b467b8d397adb895b7f59da6522fe4b552c4aa86b486488"
        var row = Self.views[0]
        #expect(LayoutDigest.of(row: row).rawValue == digest)
        row.frame.y = 500
        #expect(LayoutDigest.of(row: row).rawValue == digest)
    }

    @Test func aLayoutWithManyTextsHasTheDigestOfAllOfThem() {
        let views = (0..<200).map { Self.label(["Text \($0)"]) }
        let digest = "254855cc46db0e6632d39ad834bbfe2ca6f74e50de3b368e7f68a9bee9f41078"
        #expect(LayoutDigest.of(Self.layout(views)).rawValue == digest)
    }

    @Test func aLayoutWithAVeryLongTextHasTheDigestOfAllOfIt() {
        let views = [Self.label(["short", String(repeating: "ab", count: 10_000), "last"])]
        let digest = "64b8b855e55dfdc69968d804b1788fe80ed35304caffa2298713f0e2a6e7444a"
        #expect(LayoutDigest.of(Self.layout(views)).rawValue == digest)
    }

    // The bytes are digested in blocks of 1,024.
    @Test func textsAsLongAsABlockHaveTheDigestOfAllOfTheirBytes() {
        let views = (1015..<1030).map { Self.label([String(repeating: "x", count: $0)]) }
        let digest = "6daedafdb64addec1239d3d0f3a721a4f36b77b889dd6507b73993e26edb0582"
        #expect(LayoutDigest.of(Self.layout(views)).rawValue == digest)
    }
}
