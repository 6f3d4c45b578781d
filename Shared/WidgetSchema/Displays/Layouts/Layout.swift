// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The tree of views that one display shows, with all frames computed.
public struct Layout: Codable, Hashable, Sendable {
    /// The preferred size of the content, in points.
    public var size: Size
    /// The appearance, which determines the colours of the colour roles.
    public var appearance: Appearance
    /// The largest mode that the host should offer (family `today`); nil if the host should offer both modes.
    ///
    /// The value is `compact` if expanded mode shows no more than compact mode: "Show more" would have no effect. It is
    /// also `compact` if the widget has no display in expanded mode.
    public var largestMode: Display.Mode?
    /// The URL that opens when a user taps outside all views that have an action; nil if such a tap does nothing.
    public var link: String?
    public var views: [LayoutView]
    /// The changes that turn the rows of the other mode into the rows of this layout (family `today`).
    ///
    /// A client uses them to animate the switch from the other mode, if it shows the layout whose digest is
    /// ``RowChanges/from``. Nil if both modes have the same rows.
    public var modeChanges: RowChanges?
    /// The date above the cells of a board, in the layout of its first cell; nil for all others.
    ///
    /// The label has its top left corner at zero and is as wide as its text. Whoever draws the board places it, because it
    /// is not within the cell. It is a part of the digest.
    public var header: LayoutView?

    public init(
        size: Size,
        appearance: Appearance = .light,
        largestMode: Display.Mode? = nil,
        link: String? = nil,
        views: [LayoutView],
        modeChanges: RowChanges? = nil,
        header: LayoutView? = nil
    ) {
        self.size = size
        self.appearance = appearance
        self.largestMode = largestMode
        self.link = link
        self.views = views
        self.modeChanges = modeChanges
        self.header = header
    }
}

/// One positioned view; its frame is relative to the frame of its parent.
public struct LayoutView: Codable, Hashable, Sendable {
    public enum Kind: String, Codable, CaseIterable, Sendable {
        /// A row of a table; ``RowChanges`` identifies such rows by their indices.
        case row
        case label
        case image
        case button
        /// A thin line in the separator's colour.
        case divider
        /// A rectangle in the colour of labels, such as the title bar of a panel; its texts and images are inverse.
        case bar
        /// A rectangle in the background's colour on a bar, which outlines a state such as "since Fri 18:30".
        case badge
        /// A line in the colour of labels between two rows of a panel, one pixel high.
        case rule
        /// A dotted line in the colour of labels between two columns of a panel, one pixel wide.
        case dots
    }

    public var kind: Kind
    /// The id of a row, unique within the layout; nil for other views.
    ///
    /// A row that shows the same item in two layouts has the same id in both.
    public var id: String?
    public var frame: Rectangle
    public var text: LayoutText?
    public var image: LayoutImage?
    public var action: LayoutAction?
    public var views: [LayoutView]?

    public init(
        kind: Kind,
        id: String? = nil,
        frame: Rectangle,
        text: LayoutText? = nil,
        image: LayoutImage? = nil,
        action: LayoutAction? = nil,
        views: [LayoutView]? = nil
    ) {
        self.kind = kind
        self.id = id
        self.frame = frame
        self.text = text
        self.image = image
        self.action = action
        self.views = views
    }
}

/// A symbol, identified by its name, that fills the frame of its view.
public struct LayoutImage: Codable, Hashable, Sendable {
    /// The name of a symbol, such as `sun.max`.
    public var symbol: String
    public var color: LayoutText.ColorRole

    public init(symbol: String, color: LayoutText.ColorRole) {
        self.symbol = symbol
        self.color = color
    }
}

/// Text, broken into the lines that are shown.
public struct LayoutText: Codable, Hashable, Sendable {
    /// The role of a colour.
    ///
    /// The program that draws the layout chooses the colour for each role, in light and dark appearance.
    public enum ColorRole: String, Codable, CaseIterable, Sendable {
        case label
        case secondaryLabel
        case tint
        /// The background's colour, for texts and images on a bar.
        case inverse
    }

    /// The lines as they are shown, with an ellipsis in the last line if text was cut off.
    public var lines: [TextLine]
    public var font: LayoutFont
    public var color: ColorRole

    public init(lines: [TextLine], font: LayoutFont, color: ColorRole) {
        self.lines = lines
        self.font = font
        self.color = color
    }
}

/// One line of text, with its position in the view that contains it.
public struct TextLine: Codable, Hashable, Sendable {
    public var text: String
    /// The distance from the left edge of the view to the left end of the line, in points, also for right-to-left text.
    public var x: Double
    public var baseline: Double
    public var width: Double

    public init(text: String, x: Double, baseline: Double, width: Double) {
        self.text = text
        self.x = x
        self.baseline = baseline
        self.width = width
    }
}

/// A font: a text style, and the size and the line spacing that this style has on the display.
public struct LayoutFont: Codable, Hashable, Sendable {
    /// The text styles, named as in `UIFont.TextStyle`.
    public enum Style: String, Codable, CaseIterable, Sendable {
        case largeTitle
        case title1
        case title2
        case title3
        case headline
        case body
        case callout
        case subheadline
        case footnote
        case caption1
        case caption2
    }

    public enum Weight: String, Codable, CaseIterable, Sendable {
        case regular
        case semibold
        case bold
    }

    public var style: Style
    public var weight: Weight
    public var italic: Bool
    /// The factor by which the size of the text style was multiplied to get ``size``.
    ///
    /// If the factor is not 1, ``size`` is rounded to whole points.
    public var scale: Double
    /// The font size in points, after the multiplication by ``scale``.
    public var size: Double
    /// The distance between baselines, in points.
    public var leading: Double

    public init(
        style: Style,
        weight: Weight,
        italic: Bool = false,
        scale: Double = 1,
        size: Double,
        leading: Double
    ) {
        self.style = style
        self.weight = weight
        self.italic = italic
        self.scale = scale
        self.size = size
        self.leading = leading
    }
}

/// The effect of a tap: opens a URL, or sends a command.
public enum LayoutAction: Codable, Hashable, Sendable {
    case open(url: String)
    case command(Command)

    private enum CodingKeys: String, CodingKey {
        case open
        case command
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if let url = try container.decodeIfPresent(String.self, forKey: .open) {
            self = .open(url: url)
        } else {
            self = .command(try container.decode(Command.self, forKey: .command))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .open(let url): try container.encode(url, forKey: .open)
        case .command(let command): try container.encode(command, forKey: .command)
        }
    }
}
