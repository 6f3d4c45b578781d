// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import MessageBus
import ServiceRuntime
import Telemetry
import WidgetSchema

/// The commands that brokers send back, on their way to the cache.
final class BrokerCommands {
    /// The maximum number of commands that wait for the cache; further ones are counted and dropped.
    private static let maximumPending = 32
    private static let maximumClientBytes = 100

    private let client: BusClient
    private let log: Logger
    private let limit: Counter
    /// The name under which the cache knows the counters of this process.
    private let name: String
    private var counter: UInt64 = 0
    private var pending: Set<RequestID> = []

    init(_ context: ServiceContext, _ client: BusClient) {
        self.client = client
        log = context.log
        limit = context.metrics.limit("delivery.commands")
        name = "delivery-\(context.instance)".prefix(Self.maximumClientBytes).description
    }

    /// Sends a command to the cache; `timeout` is that of its answer, which may wait for a fetch.
    func send(_ command: Command, to widget: WidgetID, timeout: Duration) {
        guard pending.count < Self.maximumPending else {
            limit.increment()
            log.warning("Too many commands of brokers wait; one was dropped.", [.widget: widget])
            return
        }
        counter = max(counter + 1, UInt64(max(0, Instant.now.milliseconds)))
        let request = CommandRequest(client: name, counter: counter, widget: widget, command: command)
        pending.insert(client.request(RequestTarget(.cache), request, deadline: timeout))
    }

    /// Ends a request, and returns whether it was one of a command; `error` is nil if it was answered.
    func ended(_ id: RequestID, error: RequestError?) -> Bool {
        guard pending.remove(id) != nil else { return false }
        if let error { log.info("A command of a broker was not carried out.", [.reason: error.message]) }
        return true
    }
}
