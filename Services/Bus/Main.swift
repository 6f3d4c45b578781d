// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CommandOptions
import Configuration
import Foundation
import MessageBus
import ServiceRuntime
import WidgetSchema

@main
struct Main {
    static func main() {
        let program = ServiceProgram(
            .bus,
            summary: "Carries messages from publishers to subscribers, and requests to the services that answer them.",
            options: [BusService.memoryOption]
        )
        ServiceMain.run(program) { context in
            var configuration = BusServerConfiguration(
                address: try BusService.ownAddress(context.configuration.bus.address),
                instance: context.instance,
                version: TidingsVersion.current
            )
            configuration.allowWithoutKeys = context.configuration.bus.allowWithoutKeys
            configuration.log = context.log
            configuration.memoryLimit = try BusService.memoryLimit(
                context.options,
                environment: ProcessInfo.processInfo.environment
            )
            Allocator.returnLargeBlocks()
            return BusService(context: context, configuration: configuration)
        }
    }
}
