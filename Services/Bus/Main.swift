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
            options: [BusService.memory, BusService.subscriptions, BusService.subscriptionsOfAll]
        )
        ServiceMain.run(program) { context in
            var configuration = BusServerConfiguration(
                address: try BusService.ownAddress(context.settings.bus.address),
                instance: context.instance,
                version: TidingsVersion.current
            )
            configuration.allowWithoutKeys = context.settings.bus.allowWithoutKeys
            configuration.log = context.log
            func integer(_ variable: EnvironmentVariable, _ option: Option, _ range: ClosedRange<Int>) throws -> Int? {
                let environment = ProcessInfo.processInfo.environment
                return try variable.integer(context.options, option, in: range, environment: environment)
            }
            if let mebibytes = try integer(.busMemory, BusService.memory, 0...1_048_576) {
                configuration.memoryLimit = mebibytes << 20
            }
            let count = try integer(.busSubscriptions, BusService.subscriptions, SubscriptionLimits.range)
            let ofAll = try integer(
                .busSubscriptionsOfAll,
                BusService.subscriptionsOfAll,
                SubscriptionLimits.rangeOfAll
            )
            configuration.subscriptionLimits = SubscriptionLimits(
                count: count ?? BusLimits.subscriptions,
                ofAll: ofAll ?? BusLimits.subscriptionsOfAll
            )
            Allocator.returnLargeBlocks()
            return BusService(context: context, configuration: configuration)
        }
    }
}
