// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import ServiceRuntime
import WidgetSchema

@main
struct Main {
    static func main() {
        let program = ServiceProgram(
            .layout,
            summary: "Lays out each refreshed widget for its displays, and draws pictures of layouts on request.",
            options: [LayoutService.textMemoryOption]
        )
        ServiceMain.run(program) { context in
            try LayoutService(context)
        }
    }
}
