// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import MessageBus
import TestSupport
import Testing
import WidgetSchema

/// A service whose own thread hangs, while all its other threads go on.
@Suite(.timeLimit(.minutes(3)))
struct HangingServiceTests {
    @Test func aServiceWhoseThreadHangsAnswersNoHealthUntilItComesBack() async throws {
        try await withBus { address in
            var configuration = BusConfiguration(address: address, registration: try .of(.layout, "one"))
            configuration.heartbeatInterval = .milliseconds(100)
            configuration.readerTimeout = .milliseconds(400)
            let service = try BusClient(configuration)
            defer { service.close() }
            let (hang, steps) = (DispatchSemaphore(value: 0), Inbox<Void>(maximumCount: .max, maximumBytes: .max))
            // The loop of a service; what is posted to it makes it hang.
            Thread.detachNewThread {
                while true {
                    for input in service.nextBatch(maximum: 16, until: nil) {
                        switch input {
                        case .ready, .posted: steps.post(())
                        case .stopped: return
                        default: break
                        }
                        if case .posted = input { hang.wait() }
                    }
                }
            }
            @Sendable func takeStep() async throws {
                let taken = try await onOwnThread { steps.nextBatch(maximum: 1, until: .now + .seconds(30)).count }
                #expect(taken == 1)
            }
            try await takeStep()
            try await withBusClient(BusConfiguration(address: address)) { requester in
                func asks() async -> RequestError.Code? {
                    do {
                        let (target, deadline) = (RequestTarget(.layout), Duration.milliseconds(500))
                        _ = try await requester.ask(target, HealthRequest(), deadline: deadline, waitsForService: false)
                        return nil
                    } catch {
                        return (error as? RequestError)?.code
                    }
                }
                #expect(await asks() == nil)
                service.post(0)
                try await takeStep()
                let deadline = ContinuousClock.now + .seconds(20)
                // First there is no answer, then the bus has heard no heartbeat for long enough.
                while await asks() != .unavailable, ContinuousClock.now < deadline {}
                #expect(await asks() == .unavailable)
                hang.signal()
                while await asks() != nil, ContinuousClock.now < deadline {}
                #expect(await asks() == nil)
            }
        }
    }
}
