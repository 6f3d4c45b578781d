// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// Runs several services as one: the first that ends stops all.
public struct ServiceGroup: Service {
    private let services: [any Service]
    private let stop: StopSignal

    public init(_ services: [any Service], stop: StopSignal) {
        self.services = services
        self.stop = stop
    }

    /// Returns when all services have ended; throws the first error that one of them threw.
    public func run() async throws {
        var failure: (any Error)?
        await withTaskGroup(of: (any Error)?.self) { group in
            for service in services {
                group.addTask {
                    do {
                        try await service.run()
                        return nil
                    } catch {
                        return error
                    }
                }
            }
            for await error in group {
                failure = failure ?? error
                stop.stop(.serviceEnded)
            }
        }
        if let failure { throw failure }
    }
}
