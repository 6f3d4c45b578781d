// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import ServiceRuntime
import WidgetSchema

@main
struct Main {
    static func main() {
        // Bodies of requests and pictures need much memory for a short time.
        Allocator.returnLargeBlocks()
        let program = ServiceProgram(
            .gateway,
            summary: "Serves pictures, layouts, commands and live events of all widgets over HTTP.",
            options: GatewayService.options,
            needsWidgets: true
        )
        ServiceMain.run(program) { context in
            try GatewayService(context)
        }
    }
}
