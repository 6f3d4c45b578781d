// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import MessageBus
import ServiceEngine
import ServiceRuntime
import Storage
import WidgetSchema

@main
struct Main {
    static func main() {
        // A start or a reload processes all widgets at once.
        Allocator.returnLargeBlocks()
        Allocator.shareOneHeap()
        ServiceMain.run(
            .cache,
            summary: "Keeps what fetchers bring, hands out what is due, and numbers every cycle of every widget.",
            needsSecrets: true,
            needsWidgets: true
        ) { context in
            EngineService(context, subscriptions: [Topic.Prefix.fetched]) { client in
                // The configuration names the widgets, so changes take effect while the cache runs.
                context.reload.onReload { client.post(CacheAdapter.Reload()) }
                if let file = context.configuration.file {
                    context.watchFile(file) { context.reload.reload() }
                    context.watchWidgets(beside: file) { context.reload.reload() }
                }
                let location = StoreLocation(context.configuration.store)
                return EngineParts(
                    adapter: CacheAdapter(context, client: client),
                    store: try CacheStore(location, log: context.log, metrics: context.metrics),
                    pool: NoWorkers()
                )
            }
        }
    }
}
