// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CommandOptions
import Foundation
import LayoutEngine
import ServiceEngine
import ServiceRuntime
import WidgetSchema

/// The layout service of one process.
struct LayoutService: Service {
    static let textMemoryOption = Option(
        "text-memory",
        value: "MIB",
        help: "Remember the lines of measured texts up to MIB mebibytes (default: \(TextMemory.maximumBytes >> 20))."
    )

    private let context: ServiceContext
    private let textMemoryBytes: Int

    init(context: ServiceContext) throws(UsageError) {
        self.context = context
        textMemoryBytes = try Self.textMemoryBytes(context.options)
    }

    /// Returns the bound of the memory of measured texts, in bytes: from 1 to 1024 MiB.
    static func textMemoryBytes(_ options: ParsedOptions) throws(UsageError) -> Int {
        guard let text = options.value(textMemoryOption.name) else { return TextMemory.maximumBytes }
        guard let mebibytes = Int(text), (1...1024).contains(mebibytes) else {
            throw UsageError(
                command: ServiceName.layout.rawValue,
                problem: "'\(text)' is no size for --text-memory; write a number of MiB from 1 to 1024"
            )
        }
        return mebibytes << 20
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
