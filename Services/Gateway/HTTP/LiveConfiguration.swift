// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import Locking
import WidgetSchema

/// The configuration, which is replaced when the configuration file or a file in `widgets.d` changes.
final class LiveConfiguration: Sendable {
    private struct State {
        var configuration: TidingsConfiguration
        var widgets: [WidgetID: TidingsConfiguration.Widget]
        var boards: [BoardID: Board]
        var links: LinkFilter

        init(_ configuration: TidingsConfiguration) {
            self.configuration = configuration
            widgets = Dictionary(configuration.widgets.map { ($0.id, $0) }) { first, _ in first }
            boards = Dictionary(configuration.boards.map { ($0.id, $0) }) { first, _ in first }
            links = LinkFilter(configuration.linkSchemes)
        }
    }

    private let state: Lock<State>
    private let observers = Lock<[@Sendable () -> Void]>([])

    init(_ configuration: TidingsConfiguration) { state = Lock(State(configuration)) }

    var configuration: TidingsConfiguration { state.withLock(\.configuration) }

    /// The filter for layouts: it removes the links that clients must not follow.
    var links: LinkFilter { state.withLock(\.links) }

    func replace(_ configuration: TidingsConfiguration) {
        let new = State(configuration)
        state.withLock { $0 = new }
        for observer in observers.withLock({ $0 }) { observer() }
    }

    /// Calls `body` after each replacement, on the thread that replaces the configuration.
    func onReplace(_ body: @escaping @Sendable () -> Void) { observers.withLock { $0.append(body) } }

    func widget(_ id: WidgetID) -> TidingsConfiguration.Widget? { state.withLock { $0.widgets[id] } }

    func board(_ id: BoardID) -> Board? { state.withLock { $0.boards[id] } }

    /// Returns the displays of a widget, in the order of its configuration.
    func displays(of widget: TidingsConfiguration.Widget) -> [Display] {
        configuration.displays(of: widget)
    }
}
