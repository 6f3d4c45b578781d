// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import Foundation
internal import Locking
internal import MessageBus
internal import ServiceRuntime
internal import Synchronization
internal import WidgetSchema

/// The thread that forwards messages to the subscribers, with everything that other threads may use of it.
final class Forwarding: Sendable {
    private enum Event: Sendable {
        case bound(publish: Endpoint, subscribe: Endpoint)
        /// The thread has ended: by `stop`, or because of an error.
        case ended(ZeroMQError?)
    }

    /// The flag that ends the thread.
    let stopFlag: EventFlag
    /// The flag that is raised when the thread has ended.
    let endedFlag: EventFlag
    /// The flag that tells the thread about own messages, and about a lack of memory.
    let wakeFlag: EventFlag
    let counters = Lock(ForwardingCounters())
    /// The number of times that the thread has come back from libzmq: after waiting, and with each message.
    let progress = Atomic(0)
    /// The descriptors of the subscribers' connections when the thread last looked; others cannot subscribe before.
    let subscribers = Lock<Set<Int32>>([])
    private let processorClock = Lock<clockid_t?>(nil)
    private let ownMessages = Inbox<[Data]>(maximumCount: BusLimits.ownMessages, maximumBytes: .max)
    private let mustReleaseMemory = Lock(false)
    private let events = Inbox<Event>(maximumCount: 2, maximumBytes: 0)

    init() throws(ZeroMQError) {
        stopFlag = try EventFlag()
        endedFlag = try EventFlag()
        wakeFlag = try EventFlag()
    }

    /// Starts the thread; returns the endpoints when both are bound.
    ///
    /// If the thread ends because of an error later, it raises `failed`.
    func start(
        _ configuration: BusServerConfiguration,
        failed: EventFlag
    ) throws(ZeroMQError) -> (publish: Endpoint, subscribe: Endpoint) {
        ServiceThread.start(named: "forwarding") { [self] in
            var clock = clockid_t()
            if pthread_getcpuclockid(pthread_self(), &clock) == 0 { processorClock.withLock { $0 = clock } }
            do throws(ZeroMQError) {
                var loop = ForwardingLoop(configuration, self)
                try loop.run { events.post(.bound(publish: $0, subscribe: $1)) }
                events.post(.ended(nil))
            } catch {
                events.post(.ended(error))
                failed.raise()
            }
            endedFlag.raise()
        }
        switch events.nextBatch(maximum: 1, until: nil).first {
        case .bound(let publish, let subscribe): return (publish, subscribe)
        case .ended(let error?): throw error
        case .ended(nil), nil: throw ZeroMQError(call: "zmq_bind", code: ECANCELED, place: "forwarding")
        }
    }

    /// Stops the thread, and waits until it has forwarded what has arrived; returns the error that ended it earlier.
    func stop() -> ZeroMQError? {
        stopFlag.raise()
        guard case .ended(let error) = events.nextBatch(maximum: 1, until: nil).first else { return nil }
        return error
    }

    /// The processor time that the thread has used; zero if it is unknown.
    var processorTime: Duration {
        guard let clock = processorClock.withLock(\.self) else { return .zero }
        var time = timespec()
        guard clock_gettime(clock, &time) == 0 else { return .zero }
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    /// Publishes a message of the bus itself; returns false if too many wait.
    func publish(_ topic: Topic, _ frames: [Data]) -> Bool {
        guard ownMessages.offer([Data(topic.text.utf8)] + frames, bytes: 0) else { return false }
        wakeFlag.raise()
        return true
    }

    /// Ends the connections of all publishers, and those of the subscribers with the most subscriptions.
    func releaseMemory() {
        mustReleaseMemory.withLock { $0 = true }
        wakeFlag.raise()
    }

    // MARK: For the thread

    func takeOwnMessages() -> [[Data]] { ownMessages.nextBatch(maximum: BusLimits.ownMessages, until: .now) }

    /// Returns true once after each `releaseMemory`.
    func takeReleaseMemory() -> Bool {
        mustReleaseMemory.withLock { value in
            defer { value = false }
            return value
        }
    }
}
