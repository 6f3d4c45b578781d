// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import Foundation
import MessageBus
import ServiceEngine
import ServiceRuntime
import Storage
import WidgetSchema

@main
struct Main {
    static func main() {
        // A start or a reload processes all widgets at once, and so needs much memory for a short time.
        Allocator.returnLargeBlocks()
        Allocator.shareOneHeap()
        var program = ServiceProgram(
            .cache,
            summary: "Stores the outcomes of fetchers, grants leases for due sources, and numbers cycles of widgets.",
            options: StandbySettings.options,
            needsSecrets: .ofSources,
            needsWidgets: true
        )
        program.checkStore = { try CacheStore.check.run(on: $0) }
        ServiceMain.run(program) { context in
            let standby = try StandbySettings(context.options, environment: ProcessInfo.processInfo.environment)
            // The instances compare this digest, because a standby with another configuration would change the widgets
            // at its takeover.
            context.configurationDigest.set(context.settings.digest)
            return EngineService(context, subscriptions: [Topic.Prefix.fetched], standby: standby) { client in
                // The configuration names the widgets, so changes take effect while the cache runs.
                context.reload.onReload { client.post(CacheAdapter.Reload()) }
                if let file = context.settings.file {
                    context.watchFile(file) { context.reload.reload() }
                    context.watchWidgets(beside: file) { context.reload.reload() }
                }
                let location = StoreLocation(context.settings.store)
                let watch = OwnerWatch(location, service: ServiceName.cache.rawValue, lease: standby.lease)
                defer { watch.close() }
                let store = try StandbyWait(context, client, standby, needsSecrets: .ofSources).open(
                    isFree: watch.isStoreFree
                ) {
                    try CacheStore(
                        location,
                        opening: watch.opening(waits: standby.waits),
                        log: context.log,
                        metrics: context.metrics
                    )
                }
                // The configuration may have changed while the standby waited.
                let current = standby.waits ? context.reloaded(needsSecrets: .ofSources) : context
                context.configurationDigest.set(current.settings.digest)
                return EngineParts(adapter: CacheAdapter(current, client: client), store: store, pool: NoWorkers())
            }
        }
    }
}
