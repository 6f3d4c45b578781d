// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

extension ServiceName {
    /// The services of a complete system, in the order in which they start; they stop in reverse order.
    static let chain: [ServiceName] = [.bus, .cache, .layout, .notifier, .gateway, .fetcher]
}
