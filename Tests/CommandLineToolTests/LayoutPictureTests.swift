// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing
import WidgetSchema

@testable import CommandLineTool

@Suite struct LayoutPictureTests {
    @Test func aTextStandsWhereItStandsInItsLabelWhateverItsWidth() {
        let label = LayoutFont(style: .subheadline, weight: .regular, size: 15, leading: 20)
        func view(_ kind: LayoutView.Kind, y: Double, _ line: TextLine) -> LayoutView {
            LayoutView(
                kind: kind,
                frame: Rectangle(x: 47, y: y, width: 312, height: 20),
                text: LayoutText(lines: [line], font: label, color: .label)
            )
        }
        // The first one's middle is that of the whole layout, because of the layout's leading inset.
        let layout = Layout(
            size: Size(width: 359, height: 60),
            views: [
                view(.label, y: 0, TextLine(text: "left", x: 0, baseline: 15, width: 265)),
                view(.button, y: 20, TextLine(text: "middle", x: 116, baseline: 15, width: 80)),
                view(.label, y: 40, TextLine(text: "right", x: 212, baseline: 15, width: 100)),
            ]
        )
        let picture = LayoutPicture(layout: layout, columns: 24, box: .ascii, style: .plain)
        #expect(
            picture.text == """
                +----------------------+
                | left                 |
                |      [ middle ]      |
                |                right |
                +----------------------+

                """
        )
    }

    @Test func actionsStandSideBySideEachWithItsWholeCaption() {
        let font = LayoutFont(style: .caption1, weight: .regular, size: 12, leading: 16)
        func action(x: Double, _ lines: [TextLine]) -> LayoutView {
            let label = LayoutView(
                kind: .label,
                frame: Rectangle(x: 10, y: 60, width: 100, height: 32),
                text: LayoutText(lines: lines, font: font, color: .label)
            )
            return LayoutView(kind: .button, frame: Rectangle(x: x, y: 0, width: 120, height: 110), views: [label])
        }

        func line(_ text: String) -> TextLine { TextLine(text: text, x: 30, baseline: 12, width: 40) }
        let budget = TextLine(text: "Budget", x: 0, baseline: 15, width: 50)
        let document = LayoutView(
            kind: .label,
            frame: Rectangle(x: 0, y: 110, width: 360, height: 20),
            text: LayoutText(lines: [budget], font: font, color: .label)
        )
        let layout = Layout(
            size: Size(width: 360, height: 130),
            views: [
                action(x: 0, [line("New")]), action(x: 120, [line("Scan")]),
                action(x: 240, [line("Search"), line("All")]), document,
            ]
        )
        #expect(
            LayoutPicture(layout: layout, columns: 53, box: .ascii, style: .plain).text == """
                +---------------------------------------------------+
                |     [ New ]         [ Scan ]      [ Search All ]  |
                | Budget                                            |
                +---------------------------------------------------+

                """
        )
    }
}
