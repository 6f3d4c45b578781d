// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import ServiceRuntime
import WidgetSchema

@main
struct Main {
    static func main() {
        ServiceMain.run(
            .notifier,
            summary: "Decides for each cycle whether a subscriber would see a change, and tells the subscribers."
        ) { context in
            BatchService(context, subscriptions: NotifierService.subscriptions) { client in
                try NotifierService(context, client: client)
            }
        }
    }
}
