// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

package import Bus
import MessageBus
package import WidgetSchema

/// Returns the configuration of a bus in the test process.
package func testBusConfiguration(_ address: BusAddress) -> BusServerConfiguration {
    guard let instance = InstanceName(rawValue: "test") else { preconditionFailure("'test' is an instance's name") }
    var configuration = BusServerConfiguration(address: address, instance: instance, version: "test")
    // The process has the memory of all tests.
    configuration.memoryLimit = 0
    return configuration
}

/// Runs the real bus on its own ports while `body` runs.
package func withBus<Result>(
    _ address: BusAddress? = nil,
    subscriberQueue: Int32 = BusLimits.subscriberQueue,
    maximumInstances: Int = BusCore.maximumInstances,
    subscriptionLimits: SubscriptionLimits = SubscriptionLimits(),
    _ body: (BusAddress) async throws -> Result
) async throws -> Result {
    let anyPort = Endpoint.tcp(host: "127.0.0.1", port: 0)
    var configuration = testBusConfiguration(
        address ?? BusAddress(publish: anyPort, subscribe: anyPort, request: anyPort)
    )
    configuration.subscriberQueue = subscriberQueue
    configuration.maximumInstances = maximumInstances
    configuration.subscriptionLimits = subscriptionLimits
    let server = try await BusServer.start(configuration)
    do {
        let result = try await body(server.address)
        server.stop()
        try await server.ended()
        return result
    } catch {
        server.stop()
        try await server.ended()
        throw error
    }
}
