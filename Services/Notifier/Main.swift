// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import Foundation
import ServiceEngine
import ServiceRuntime
import Storage
import WidgetSchema

@main
struct Main {
    static func main() {
        var program = ServiceProgram(
            .notifier,
            summary: "Decides for each cycle whether a subscriber would see a change, and tells the subscribers.",
            options: StandbySettings.options
        )
        program.checkStore = { try NotifierStore.check.run(on: $0) }
        ServiceMain.run(program) { context in
            let standby = try StandbySettings(context.options, environment: ProcessInfo.processInfo.environment)
            return EngineService(context, subscriptions: NotifierAdapter.subscriptions, standby: standby) { client in
                let location = StoreLocation(context.settings.store)
                let watch = OwnerWatch(location, service: ServiceName.notifier.rawValue, lease: standby.lease)
                defer { watch.close() }
                let store = try StandbyWait(context, client, standby).open(isFree: watch.isStoreFree) {
                    try NotifierStore(
                        location,
                        opening: watch.opening(waits: standby.waits),
                        log: context.log
                    )
                }
                return EngineParts(adapter: NotifierAdapter(context, client: client), store: store, pool: NoWorkers())
            }
        }
    }
}
