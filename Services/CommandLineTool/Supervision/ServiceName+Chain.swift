// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

extension ServiceName {
    /// The services that a complete system has, in the order in which they start; they stop in the other one.
    static let chain: [ServiceName] = [.bus, .cache, .layout, .notifier, .gateway, .fetcher]
}
