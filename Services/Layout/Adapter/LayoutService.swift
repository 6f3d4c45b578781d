// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CommandOptions
import Foundation
import LayoutEngine
import ServiceEngine
import ServiceRuntime
import WidgetSchema

/// The layout service, which lays out widgets until its process stops.
struct LayoutService: Service {
    static let textMemoryOption = Option(
        "text-memory",
        value: "MIB",
        help: "Use up to MIB mebibytes of memory for the lines of measured texts "
            + "(default: \(TextMemory.maximumBytes >> 20))."
    )

    private static let textMemoryRange = 1...1024

    private let context: ServiceContext
    private let textMemoryBytes: Int

    init(_ context: ServiceContext) throws(UsageError) {
        self.context = context
        let mebibytes = try context.options.integer(Self.textMemoryOption.name, in: Self.textMemoryRange)
        textMemoryBytes = mebibytes.map { $0 << 20 } ?? TextMemory.maximumBytes
    }

    func run() async throws {
        try await EngineService(context, subscriptions: LayoutAdapter.subscriptions) { client in
            let pool = LayoutWorkerPool(
                size: ProcessInfo.processInfo.activeProcessorCount,
                memory: TextMemory(maximumBytes: textMemoryBytes)
            )
            return EngineParts(
                adapter: LayoutAdapter(context, client: client, memory: pool.memory),
                store: NoStore(),
                pool: pool
            )
        }.run()
    }
}
