// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CommandOptions
import Configuration
import ServiceRuntime
import Storage
import WidgetSchema

@main
struct Main {
    static func main() {
        // A burst of updates takes much memory for a short time.
        Allocator.returnLargeBlocks()
        var program = ServiceProgram(
            .delivery,
            summary: "Sends updates to the destinations of the configuration, such as webhooks and notifications.",
            options: StandbySettings.options + [
                Option(
                    DestinationCheck.optionName,
                    help: "Check whether all destinations can be reached, and exit: with 1 if one cannot."
                )
            ],
            needsSecrets: .ofDestinations,
            needsWidgets: true
        )
        program.checkStore = { try DeliveryStore.check.run(on: $0) }
        ServiceMain.run(program) { context in
            if context.options.has(DestinationCheck.optionName) { return DestinationCheck(context: context) }
            return DeliveryService(context: context)
        }
    }
}
