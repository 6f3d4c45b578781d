// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The main text of a widget that shows a single text, with the space for this text.
///
/// ``SingleTextScale`` tries many font sizes for such a text. A main text finds most of the sizes that are too large,
/// so that no layout is computed for them.
struct MainText {
    private let label: Label
    private let room: Room
    private let environment: LayoutEnvironment
    /// The smallest factor by which the label may multiply its own font size.
    private let smallestOwnScale: Double
    /// The total width of the text's lines, as a multiple of the font size.
    private let relativeWidth: Double

    /// The part of ``relativeWidth`` that a text has at every font size.
    ///
    /// Widths are not exactly in proportion to the font size. For example, two letters can be closer together if there
    /// is no line break between them.
    private static let certainPart = 0.95
    /// The maximum width of a space, as a multiple of the font size.
    ///
    /// The space at which a line is broken is not a part of the line's width.
    private static let widestSpace = 0.5

    /// Creates the main text of a widget.
    ///
    /// `label` shows the text in `environment`. `room` is the space for the label, at every font size.
    init(_ label: Label, in room: Room, _ environment: LayoutEnvironment) {
        self.label = label
        self.room = room
        self.environment = environment
        smallestOwnScale = WordBreaks.hasLongWord(label.text.string) ? Label.smallestScaleOfLongWords : 1
        let font = label.font(in: environment)
        // A widget's first layout has the same lines, so they are remembered.
        let lines = environment.measure(label.text, font: font, width: room.width, maximumLines: label.maximumLines)
        // In another font size, there may be no hyphen where a line ends now.
        let hasHyphen = lines.contains { $0.text.unicodeScalars.last == DisplayText.hyphen }
        relativeWidth = hasHyphen ? 0 : lines.reduce(0) { $0 + $1.width } / font.size
    }

    /// Returns whether the label certainly cuts the text if its font size is multiplied by `scale`.
    ///
    /// Even if the result is false, the label can cut the text.
    func isCertainlyCut(at scale: Double) -> Bool {
        // If the label shows nothing, the widget shows something else in its place.
        guard availableLines(font(at: scale)) != nil else { return false }
        let font = font(at: scale, ownScale: smallestOwnScale)
        guard let available = availableLines(font) else { return false }
        if fewestLines(font) > available { return true }
        // A label that chooses its font size itself cannot be measured here.
        guard smallestOwnScale == 1 else { return false }
        let lines = environment.measure(label.text, font: font, width: room.width, maximumLines: label.maximumLines)
        return lines.count > available
    }

    /// Returns whether the text fits at a scale if the space were higher by a number of points and then by a number of lines.
    func fits(at scale: Double, addedHeight: Double, addedLines: Int) -> Bool {
        let font = font(at: scale)
        let most = Int((room.height + addedHeight + Room.tolerance) / font.leading) + addedLines
        guard fewestLines(font) <= most else { return false }
        let lines = environment.measure(label.text, font: font, width: room.width, maximumLines: label.maximumLines)
        return lines.count <= most && !Label.isCut(lines)
    }

    private func font(at scale: Double, ownScale: Double = 1) -> LayoutFont {
        var label = label
        label.scale *= ownScale
        return label.font(in: environment.scaled(by: scale))
    }

    /// Returns the number of lines for which there is space; nil if the label shows nothing or if all lines fit.
    private func availableLines(_ font: LayoutFont) -> Int? {
        let lines = (room.height + Room.tolerance) / font.leading
        guard lines >= 1, lines < Double(label.maximumLines), room.width >= Label.narrowest * font.size else {
            return nil
        }
        return Int(lines)
    }

    /// Returns the number of lines that the text needs at least.
    private func fewestLines(_ font: LayoutFont) -> Int {
        let width = relativeWidth * Self.certainPart * font.size
        return Int((width / (room.width + Self.widestSpace * font.size)).rounded(.up))
    }
}
