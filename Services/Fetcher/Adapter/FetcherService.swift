// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CommandOptions
import Configuration
import Foundation
import HTTPTransport
import ServiceEngine
import ServiceRuntime

/// The fetcher service: requests leases from the cache, fetches from origins and publishes the outcomes.
struct FetcherService: Service {
    static let filesOption = Option(
        "files",
        value: "DIR",
        help: "Read file sources below DIR (default: TIDINGS_FILES; without either, no file is read)."
    )

    let context: ServiceContext

    /// Returns the directory below which files are read, from the option or from the environment.
    ///
    /// It never comes from a lease: whoever can forge one could read any file of this process's user.
    static func fileDirectory(_ options: ParsedOptions, environment: [String: String]) -> String? {
        [options.value(filesOption.name), environment[EnvironmentVariable.files.name]].lazy
            .compactMap { $0 }.first { !$0.isEmpty }
            .map { URL(filePath: $0).standardizedFileURL.path }
    }

    func run() async throws {
        let userAgent = "Tidings/\(TidingsVersion.current)"
        try await withHTTPClient(configuration: HTTPClientConfiguration(userAgent: userAgent)) { http in
            try await EngineService(context, subscriptions: []) { bus in
                EngineParts(
                    adapter: FetcherAdapter(context, bus: bus, http: http),
                    store: NoStore(),
                    pool: NoWorkers()
                )
            }.run()
        }
    }
}
