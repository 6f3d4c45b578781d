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
            options: [
                BusService.memory.option, BusService.subscriptions.option, BusService.subscriptionsOfAll.option,
            ]
        )
        ServiceMain.run(program) { context in
            var configuration = BusServerConfiguration(
                address: try BusService.ownAddress(context.configuration.bus.address),
                instance: context.instance,
                version: TidingsVersion.current
            )
            configuration.allowWithoutKeys = context.configuration.bus.allowWithoutKeys
            configuration.log = context.log
            let environment = ProcessInfo.processInfo.environment
            if let mebibytes = try BusService.memory.value(context.options, environment: environment) {
                configuration.memoryLimit = mebibytes << 20
            }
            let count = try BusService.subscriptions.value(context.options, environment: environment)
            let ofAll = try BusService.subscriptionsOfAll.value(context.options, environment: environment)
            configuration.subscriptionLimits = SubscriptionLimits(
                count: count ?? BusLimits.subscriptions,
                ofAll: ofAll ?? BusLimits.subscriptionsOfAll
            )
            Allocator.returnLargeBlocks()
            return BusService(context: context, configuration: configuration)
        }
    }
}
