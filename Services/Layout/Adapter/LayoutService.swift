// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import LayoutEngine
import ServiceEngine
import ServiceRuntime

/// The layout service of one process.
struct LayoutService: Service {
    private let context: ServiceContext

    init(context: ServiceContext) { self.context = context }

    func run() async throws {
        try await EngineService(context, subscriptions: LayoutAdapter.subscriptions) { client in
            let pool = LayoutWorkerPool(size: ProcessInfo.processInfo.activeProcessorCount)
            return EngineParts(
                adapter: LayoutAdapter(context, client: client, memory: pool.memory),
                store: NoStore(),
                pool: pool
            )
        }.run()
    }
}
