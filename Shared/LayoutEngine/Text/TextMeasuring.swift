// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import WidgetSchema

/// A type that breaks text into lines of a maximum width.
///
/// Equal arguments give equal results.
public protocol TextMeasuring {
    /// Returns the lines of a text, at most `maximumLines`; the last one ends with an ellipsis if text was cut off.
    ///
    /// The lines are those of the smooth look.
    func measure(_ text: DisplayText, font: LayoutFont, width: Double, maximumLines: Int) -> [MeasuredLine]

    /// Returns the lines of a text in a look.
    func measure(
        _ text: DisplayText,
        font: LayoutFont,
        width: Double,
        maximumLines: Int,
        look: TextLook
    ) -> [MeasuredLine]
}

extension TextMeasuring {
    /// Returns the same lines in every look.
    public func measure(
        _ text: DisplayText,
        font: LayoutFont,
        width: Double,
        maximumLines: Int,
        look: TextLook
    ) -> [MeasuredLine] { measure(text, font: font, width: width, maximumLines: maximumLines) }
}

/// One line of text as it is shown, with its measured width and position.
public struct MeasuredLine: Hashable, Sendable {
    public var text: String
    /// The width in points.
    public var width: Double
    /// The distance from the top of the text to the baseline of this line, in points.
    ///
    /// The distance between two baselines is the leading of the font.
    public var baseline: Double
    /// A Boolean value that indicates whether the line ends with an ellipsis that replaces the rest of the text.
    ///
    /// The value is false if the ellipsis belongs to the text itself.
    public var isCut = false
}

/// The lines of a text, with the font and the width with which they were measured.
struct MeasuredText: Hashable, Sendable {
    var lines: [MeasuredLine]
    var font: LayoutFont
    var width: Double

    /// Returns the lines if they are those for these arguments, and nil otherwise.
    ///
    /// A text that needs fewer lines than it was allowed has the same lines if only those are allowed. A text that was
    /// cut may have other lines if more are allowed.
    func lines(font: LayoutFont, width: Double, maximumLines: Int) -> [MeasuredLine]? {
        guard width == self.width, font == self.font else { return nil }
        let isKnown = lines.count == maximumLines || lines.count < maximumLines && !Label.isCut(lines)
        return isKnown ? lines : nil
    }
}
