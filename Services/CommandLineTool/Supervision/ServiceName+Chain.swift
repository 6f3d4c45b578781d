// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

extension ServiceName {
    /// The services of a complete system, in the order in which a cycle passes them; they stop in reverse order.
    ///
    /// `SupervisorCore` says in which order they start.
    static let chain: [ServiceName] = [.bus, .cache, .layout, .notifier, .gateway, .fetcher]
}
