// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CommandOptions
import Configuration
import Foundation
import HTTPTransport
import ServiceEngine
import ServiceRuntime
import WidgetSchema

/// The fetcher service: requests leases from the cache, fetches from origins and publishes the outcomes.
struct FetcherService: Service {
    static let filesOption = Option(
        "files",
        value: "DIR",
        help: "Read file sources below DIR (default: TIDINGS_FILES; without either, no file is read)."
    )

    static let addressOption = Option(
        "allow-address",
        value: "ADDRESS",
        isRepeatable: true,
        help: "Allow requests to ADDRESS even if it is in a rejected range, such as a private one "
            + "(default: TIDINGS_ALLOW_ADDRESSES)."
    )

    let context: ServiceContext
    private let allowedAddresses: Set<IPAddress>

    init(_ context: ServiceContext) throws(UsageError) {
        self.context = context
        allowedAddresses = try Self.allowedAddresses(
            context.options,
            environment: ProcessInfo.processInfo.environment
        )
    }

    /// Returns the addresses that fetches may contact even if they are in a rejected address range.
    ///
    /// They come from the command-line option, or else from the environment, but never from a lease. If they came from
    /// leases, a client that can forge a lease could read the secrets that clouds reveal to their machines.
    static func allowedAddresses(
        _ options: ParsedOptions,
        environment: [String: String]
    ) throws(UsageError) -> Set<IPAddress> {
        var texts = options.values(addressOption.name)
        if texts.isEmpty {
            let variable = EnvironmentVariable.allowedAddresses.value(in: environment) ?? ""
            texts = variable.split(separator: ",").map(String.init)
        }
        var addresses: Set<IPAddress> = []
        for text in texts {
            guard let address = IPAddress(text.trimmingCharacters(in: .whitespaces)) else {
                throw options.wrongUse(
                    "'\(text)' is not an IP address; write one such as 169.254.169.254 or fd00:ec2::254"
                )
            }
            addresses.insert(address)
        }
        return addresses
    }

    /// Returns the directory below which files may be read; nil if no file may be read.
    ///
    /// It comes from the command-line option, or else from the environment, but never from a lease. If it came from a
    /// lease, a client that can forge a lease could read any file of this process's user.
    static func fileDirectory(_ options: ParsedOptions, environment: [String: String]) -> String? {
        [options.value(filesOption.name), environment[EnvironmentVariable.files.name]].lazy
            .compactMap { $0 }.first { !$0.isEmpty }
            .map { URL(filePath: $0).standardizedFileURL.path }
    }

    func run() async throws {
        let userAgent = "Tidings/\(TidingsVersion.current)"
        let client = HTTPClientConfiguration(userAgent: userAgent, allowedAddresses: allowedAddresses)
        try await withHTTPClient(configuration: client) { http in
            // Every client of the bus may have an address inspected, so the allowed addresses are not for inspections.
            try await withHTTPClient(configuration: HTTPClientConfiguration(userAgent: userAgent)) { inspections in
                try await EngineService(context, subscriptions: []) { bus in
                    EngineParts(
                        adapter: FetcherAdapter(context, bus: bus, http: http, inspections: inspections),
                        store: NoStore(),
                        pool: NoWorkers()
                    )
                }.run()
            }
        }
    }
}
