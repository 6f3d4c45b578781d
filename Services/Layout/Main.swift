// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import ServiceRuntime
import WidgetSchema

@main
struct Main {
    static func main() {
        ServiceMain.run(
            .layout,
            summary: "Lays out each refreshed widget for its displays, with text measured as it is drawn.",
            options: [LayoutService.textMemoryOption]
        ) { context in
            try LayoutService(context: context)
        }
    }
}
