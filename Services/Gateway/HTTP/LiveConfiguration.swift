// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import ServiceRuntime
import Synchronization
import WidgetSchema

/// The displays and widgets of the configuration, as its file says now.
final class LiveConfiguration: Sendable {
    private struct State {
        var configuration: Configuration
        var widgets: [WidgetID: Configuration.Widget]

        init(_ configuration: Configuration) {
            self.configuration = configuration
            widgets = Dictionary(configuration.widgets.map { ($0.id, $0) }) { first, _ in first }
        }
    }

    private let state: Mutex<State>

    init(_ configuration: Configuration) { state = Mutex(State(configuration)) }

    var configuration: Configuration { state.withLock(\.configuration) }

    func replace(_ configuration: Configuration) {
        let new = State(configuration)
        state.withLock { $0 = new }
    }

    func widget(_ id: WidgetID) -> Configuration.Widget? { state.withLock { $0.widgets[id] } }

    /// The displays of a widget, in their order.
    func displays(of widget: Configuration.Widget) -> [Display] {
        state.withLock { state in widget.displays.compactMap(state.configuration.display) }
    }
}
