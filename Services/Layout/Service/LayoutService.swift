// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import ServiceEngine
package import ServiceRuntime
import WidgetSchema

/// The layout service of one process.
package struct LayoutService: Service {
    private let context: ServiceContext

    package init(context: ServiceContext) { self.context = context }

    package func run() async throws {
        try await EngineService(context, subscriptions: [Topic.Prefix.refreshed]) { client in
            let crew = DrawingCrew(size: ProcessInfo.processInfo.activeProcessorCount)
            return EngineParts(
                adapter: LayoutAdapter(context, client: client, memory: crew.memory),
                store: NoStore(),
                pool: crew
            )
        }.run()
    }
}
