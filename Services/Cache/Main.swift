// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import ServiceRuntime
import WidgetSchema

@main
struct Main {
    static func main() {
        ServiceMain.run(
            .cache,
            summary: "Keeps what fetchers bring, hands out what is due, and numbers every cycle of every widget.",
            needsSecrets: true
        ) { context in
            BatchService(context, subscriptions: [Topic.Prefix.fetched]) { client in
                try CacheService(context, client: client)
            }
        }
    }
}
