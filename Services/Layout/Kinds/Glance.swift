// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The little of a widget that the lock screen has room for, and that a line of text says.
struct Glance: Hashable, Sendable {
    var symbol: SymbolName
    /// What matters most.
    var title: String
    /// The title in a few characters.
    var short: String?
    /// Less important lines.
    var details: [String] = []
    /// What a tap on all of it does.
    var action: LayoutAction?

    /// Title and details in one line.
    var line: String { title }

    func view(in environment: LayoutEnvironment) -> any View {
        let view: any View =
            switch environment.display.family {
            case .accessoryInline: inline
            case .accessoryCircular: circular
            default: rectangular
            }
        return action.map { Button($0, view) } ?? view
    }

    private var inline: any View {
        HorizontalStack(spacing: 4) {
            Symbol(symbol.rawValue, .subheadline)
            Label(DisplayText(title), .subheadline, priority: 1)
        }
    }

    private var circular: any View {
        Frame(
            width: .room,
            height: .room,
            horizontal: .center,
            VerticalStack(alignment: .center) {
                Symbol(symbol.rawValue, .title2)
                Label(DisplayText(short ?? title), .caption1, weight: .semibold, alignment: .center, priority: 1)
            }
        )
    }

    private var rectangular: any View {
        Frame(
            width: .room,
            height: .room,
            VerticalStack {
                HorizontalStack(spacing: 4, priority: 1) {
                    Symbol(symbol.rawValue, .headline)
                    Label(DisplayText(title), .headline, weight: .semibold, priority: 1)
                }
                for detail in details { Label(DisplayText(detail), .subheadline, color: .secondaryLabel) }
            }
        )
    }
}
