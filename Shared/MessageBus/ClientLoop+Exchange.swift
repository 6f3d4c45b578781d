// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import Foundation
internal import Locking
internal import WidgetSchema

extension ClientLoop {
    /// A command from another thread.
    enum Command: Sendable {
        case publish(Topic, [Data])
        case core(ClientGroupCore.Input)
        /// A socket failed on another thread.
        case fail(ZeroMQError)
        case stop
    }

    /// The state that the thread shares with other threads.
    final class Exchange: Sendable {
        /// The state of the batch that `BusClient.beginBatch` begins.
        enum Batch: Hashable {
            case none
            case begun
            /// The first command of the batch was announced or sent; further ones wait for its end.
            case announced
        }

        struct Outbox {
            /// The decision about a message that is published.
            enum Publication {
                /// The client is closed.
                case refused
                /// The calling thread sends the message.
                case direct([BusPublisher])
                /// The client's thread sends the message; `wakes` is true if the flag must be raised.
                case queued(wakes: Bool)
            }

            var commands: [Command] = []
            /// The publishers of the buses at which messages are published now.
            var publishers: [BusPublisher] = []
            /// The number of messages that the client's thread must send before another thread may send one.
            var queuedPublications = 0
            /// A Boolean value that indicates whether the flag was raised for the commands.
            var isAnnounced = false
            var batch = Batch.none
            var isClosed = false

            /// Returns true if the flag must be raised for the commands now.
            mutating func announce() -> Bool {
                guard !isAnnounced, !commands.isEmpty, batch != .announced || commands.count >= Exchange.largestBatch
                else { return false }
                isAnnounced = true
                if batch == .begun { batch = .announced }
                return true
            }

            /// Adds a command; returns true if the flag must be raised.
            ///
            /// The command `stop` closes the outbox and ends the batch.
            mutating func add(_ command: Command) -> Bool {
                commands.append(command)
                if case .stop = command { (isClosed, batch) = (true, .none) }
                return announce()
            }

            /// Decides which thread sends a message, and adds it to the commands if that is the client's thread.
            ///
            /// The calling thread sends the message unless earlier ones are still queued. In a batch, it sends only the
            /// first one, because several messages that are sent together wake fewer threads.
            mutating func publish(_ topic: Topic, _ frames: [Data]) -> Publication {
                if isClosed { return .refused }
                guard batch != .announced, queuedPublications == 0, !publishers.isEmpty else {
                    queuedPublications += 1
                    return .queued(wakes: add(.publish(topic, frames)))
                }
                if batch == .begun { batch = .announced }
                return .direct(publishers)
            }

            /// Removes and returns all commands.
            mutating func take() -> [Command] {
                defer { (commands, isAnnounced) = ([], false) }
                return commands
            }
        }

        /// The maximum number of commands that wait for the end of a batch.
        ///
        /// A long batch is sent in parts, so that the client's thread works beside the thread that makes the batch.
        static let largestBatch = 16

        let outbox = Lock(Outbox())
        let flag: EventFlag
        let inbox: Inbox<BusInput>
        /// The continuations of the tasks that wait in `BusClient.ask`, by request id.
        ///
        /// The answers to these requests do not go to the inbox.
        let awaited = Lock<[RequestID: CheckedContinuation<(Data, [Data]), any Error>]>([:])
        /// The role of the instance, which is read for each heartbeat; nil for an instance without a role.
        let role: Lock<InstanceRole?>

        init(_ configuration: BusConfiguration) throws(ZeroMQError) {
            flag = try EventFlag()
            role = Lock(configuration.role)
            inbox = Inbox(
                maximumCount: configuration.maximumWaiting,
                maximumBytes: configuration.maximumWaitingBytes
            )
        }

        /// Adds a command; returns false if the client is closed.
        @discardableResult
        func put(_ command: Command) -> Bool {
            let (taken, wakes) = outbox.withLock { outbox in
                outbox.isClosed ? (false, false) : (true, outbox.add(command))
            }
            if wakes { flag.raise() }
            return taken
        }

        /// Publishes a message; returns false if the client is closed or a socket fails.
        func publish(_ topic: Topic, _ frames: [Data]) -> Bool {
            switch outbox.withLock({ $0.publish(topic, frames) }) {
            case .refused: return false
            case .queued(let wakes):
                if wakes { flag.raise() }
                return true
            case .direct(let publishers):
                do throws(ZeroMQError) {
                    for publisher in publishers where try publisher.publish(topic, frames) {
                        put(.core(.one(publisher.number, .publisherSubscribed)))
                    }
                    return true
                } catch {
                    put(.fail(error))
                    return false
                }
            }
        }

        /// Begins or ends a batch.
        ///
        /// In a batch, the thread is woken for the first command and at the end. A long batch is sent in parts.
        func setBatch(_ isInBatch: Bool) {
            let wakes = outbox.withLock { outbox in
                outbox.batch = isInBatch && !outbox.isClosed ? .begun : .none
                return outbox.announce()
            }
            if wakes { flag.raise() }
        }
    }
}
