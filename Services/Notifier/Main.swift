// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import ServiceEngine
import ServiceRuntime
import Storage
import WidgetSchema

@main
struct Main {
    static func main() {
        ServiceMain.run(
            .notifier,
            summary: "Decides for each cycle whether a subscriber would see a change, and tells the subscribers."
        ) { context in
            EngineService(context, subscriptions: NotifierAdapter.subscriptions) { client in
                let location = StoreLocation(context.configuration.store)
                return EngineParts(
                    adapter: NotifierAdapter(context, client: client),
                    store: try DatabaseUpdateStore(location, log: context.log),
                    pool: NoWorkers()
                )
            }
        }
    }
}
