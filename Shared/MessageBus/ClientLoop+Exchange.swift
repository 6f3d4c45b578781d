// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import Foundation
internal import Synchronization
internal import Telemetry
internal import WidgetSchema

extension ClientLoop {
    /// A command from another thread.
    enum Command: Sendable {
        case publish(Topic, [Data])
        case core(ClientGroupCore.Input)
        case stop
    }

    /// The state that the thread shares with other threads.
    final class Exchange: Sendable {
        struct Outbox {
            var commands: [Command] = []
            /// A Boolean value that indicates whether the flag was raised for the commands.
            var isAnnounced = false
            /// A Boolean value that indicates whether commands wait for the end of a batch (`beginBatch`), because the
            /// flag was raised for an earlier command of the batch.
            var isHeld = false
            var isInBatch = false
            var isClosed = false

            /// Returns true if the flag must be raised for the commands now.
            mutating func announce() -> Bool {
                guard !isAnnounced, !commands.isEmpty, !isHeld || commands.count >= Exchange.largestBatch else {
                    return false
                }
                isAnnounced = true
                isHeld = isInBatch
                return true
            }
        }

        /// The maximum number of commands that wait for the end of a batch.
        ///
        /// A long batch is sent in parts, so that the client's thread works beside the thread that makes the batch.
        static let largestBatch = 16

        let outbox = Mutex(Outbox())
        let flag: EventFlag
        let inbox: Inbox<BusInput>
        /// The continuations of the tasks that wait in `BusClient.ask`, by request id.
        ///
        /// The answers to these requests do not go to the inbox.
        let awaited = Mutex<[RequestID: CheckedContinuation<(Data, [Data]), any Error>]>([:])
        let isReady = Atomic(false)
        /// The role of the instance, which is read for each heartbeat; nil for an instance without a role.
        let role: Mutex<InstanceRole?>

        init(_ configuration: BusConfiguration) throws(ZeroMQError) {
            flag = try EventFlag()
            role = Mutex(configuration.role)
            inbox = Inbox(
                maximumCount: configuration.maximumWaiting,
                maximumBytes: configuration.maximumWaitingBytes
            )
        }

        /// Adds a command; returns false if the client is closed.
        @discardableResult
        func put(_ command: Command) -> Bool {
            let (taken, wakes) = outbox.withLock { outbox in
                guard !outbox.isClosed else { return (false, false) }
                outbox.commands.append(command)
                if case .stop = command { (outbox.isClosed, outbox.isInBatch, outbox.isHeld) = (true, false, false) }
                return (true, outbox.announce())
            }
            if wakes { flag.raise() }
            return taken
        }

        /// Begins or ends a batch.
        ///
        /// In a batch, the thread is woken for the first command and at the end. A long batch is sent in parts.
        func setBatch(_ isInBatch: Bool) {
            let wakes = outbox.withLock { outbox in
                outbox.isInBatch = isInBatch && !outbox.isClosed
                outbox.isHeld = false
                return outbox.announce()
            }
            if wakes { flag.raise() }
        }
    }
}
