// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The tree of what one variant shows, solved to frames.
public struct Layout: Codable, Hashable, Sendable {
    /// The preferred content size.
    public var size: Size
    /// The appearance that gives the colour roles their colours.
    public var appearance: Appearance
    /// `compact` if expanded mode shows no more than compact mode (family `today`); the host offers no "Show more" then.
    public var largestMode: Display.Mode?
    /// The URL that a tap opens where no view has an action.
    public var link: String?
    public var views: [LayoutView]

    public init(
        size: Size,
        appearance: Appearance = .light,
        largestMode: Display.Mode? = nil,
        link: String? = nil,
        views: [LayoutView]
    ) {
        self.size = size
        self.appearance = appearance
        self.largestMode = largestMode
        self.link = link
        self.views = views
    }
}

/// One positioned view; its frame is relative to its parent's.
public struct LayoutView: Codable, Hashable, Sendable {
    public enum Kind: String, Codable, CaseIterable, Sendable {
        /// A row of a table; rows are what row changes count.
        case row
        case label
        case image
        case button
        case divider
    }

    public var kind: Kind
    public var frame: Rectangle
    public var text: LayoutText?
    public var image: LayoutImage?
    public var action: LayoutAction?
    public var views: [LayoutView]?

    public init(
        kind: Kind,
        frame: Rectangle,
        text: LayoutText? = nil,
        image: LayoutImage? = nil,
        action: LayoutAction? = nil,
        views: [LayoutView]? = nil
    ) {
        self.kind = kind
        self.frame = frame
        self.text = text
        self.image = image
        self.action = action
        self.views = views
    }
}

/// An image by its name; it fills its view's frame.
public struct LayoutImage: Codable, Hashable, Sendable {
    /// A symbol's name, `sun.max`.
    public var symbol: String
    public var color: LayoutText.ColorRole

    public init(symbol: String, color: LayoutText.ColorRole) {
        self.symbol = symbol
        self.color = color
    }
}

/// Text, broken into the lines that are shown.
public struct LayoutText: Codable, Hashable, Sendable {
    /// A role that the host gives a colour, by its appearance.
    public enum ColorRole: String, Codable, CaseIterable, Sendable {
        case label
        case secondaryLabel
        case tint
    }

    /// The lines as shown: broken, and the last one with its ellipsis where text was cut off.
    public var lines: [TextLine]
    public var font: LayoutFont
    public var color: ColorRole

    public init(lines: [TextLine], font: LayoutFont, color: ColorRole) {
        self.lines = lines
        self.font = font
        self.color = color
    }
}

/// One line of text, positioned in its view.
public struct TextLine: Codable, Hashable, Sendable {
    public var text: String
    /// The left edge.
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

/// A font by text style, with what the style came to on this display.
public struct LayoutFont: Codable, Hashable, Sendable {
    /// `UIFont.TextStyle`.
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
    /// Of the text style's size; the size is rounded to whole points after it.
    public var scale: Double
    /// Points.
    public var size: Double
    /// The distance of lines, in points.
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

/// The action of a tap: opening a URL, or sending a command.
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
