// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import Foundation
internal import Locking
import MessageBus
internal import ServiceRuntime
internal import Synchronization
internal import Telemetry
package import WidgetSchema

/// A running bus, on a thread of its own.
package final class BusServer: Sendable {
    private enum Start: Sendable {
        case bound(BusAddress)
        case failed(ZeroMQError)
    }

    /// The address that clients connect to, with the actual ports if port 0 was configured.
    package let address: BusAddress
    private let running: Running

    /// The state that the server shares with its thread.
    private final class Running: Sendable {
        let stopFlag: EventFlag
        let thread = DispatchGroup()
        /// The lock that prevents a second bus in the folder of an `ipc://` address.
        ///
        /// Nil for a TCP address. Also nil after the bus has ended.
        let lock: Lock<FolderLock?>
        /// The reason why the thread ended by itself; nil if it was stopped.
        let failure = Lock<(any Error)?>(nil)
        let started = Inbox<Start>(maximumCount: 1, maximumBytes: 0)

        init(stopFlag: EventFlag, lock: FolderLock?) {
            self.stopFlag = stopFlag
            self.lock = Lock(lock)
        }
    }

    private init(_ address: BusAddress, _ running: Running) {
        self.address = address
        self.running = running
    }

    /// Starts a bus on a new thread, and returns when its three endpoints are bound.
    ///
    /// Throws `BusError` if the bus cannot start, and `CancellationError` if the task is cancelled.
    package static func start(_ configuration: BusServerConfiguration) async throws -> BusServer {
        if let exposed = configuration.address.endpoints.first(where: { !$0.isLocal }) {
            guard configuration.allowWithoutKeys else { throw BusError.exposed(exposed) }
            configuration.log.warning(
                "The bus runs without keys: it trusts every client that can reach it.",
                [.endpoint: exposed.description]
            )
        }
        var lock: FolderLock?
        if case .ipc(let path) = configuration.address.publish { lock = try FolderLock(folder(of: path)) }
        do {
            let running = Running(stopFlag: try EventFlag(), lock: lock)
            run(configuration, running)
            switch await running.started.next() {
            case .bound(let address): return BusServer(address, running)
            case .failed(let error): throw error
            case nil:
                running.stopFlag.raise()
                throw CancellationError()
            }
        } catch let error as ZeroMQError {
            throw BusError.socket(error)
        }
    }

    private static func run(_ configuration: BusServerConfiguration, _ running: Running) {
        running.thread.enter()
        ServiceThread.start(named: "bus") {
            do throws(ZeroMQError) {
                var loop = try BusLoop(configuration, stopFlag: running.stopFlag)
                try loop.run { running.started.post(.bound($0)) }
                let failure = loop.failure
                running.failure.withLock { $0 = failure }
            } catch {
                running.failure.withLock { $0 = error }
                running.started.post(.failed(error))
            }
            running.lock.withLock { $0 = nil }
            running.thread.leave()
        }
    }

    deinit {
        running.stopFlag.raise()
    }

    private static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    }

    /// Stops the bus; pending messages are still sent for at most half a second.
    package func stop() {
        running.stopFlag.raise()
    }

    /// Waits until the bus has ended.
    ///
    /// Throws the error that ended the bus; does not throw if `stop` ended it.
    package func ended() async throws {
        await withCheckedContinuation { continuation in
            running.thread.notify(queue: .global()) { continuation.resume() }
        }
        if let error = running.failure.withLock(\.self) { throw error }
    }
}
