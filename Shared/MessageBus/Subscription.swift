// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import Foundation
public import WidgetSchema

/// One message of a subscription.
public struct BusMessage: Hashable, Sendable {
    public let topic: Topic
    /// The event's JSON, followed by content frames if the messages of this topic have any.
    public let frames: [Data]

    public init(topic: Topic, frames: [Data]) {
        self.topic = topic
        self.frames = frames
    }
}

/// The messages of a subscription, as a sequence for one task.
///
/// The sequence ends when the task is cancelled or the connection has failed permanently.
public struct SubscriptionMessages: AsyncSequence, Sendable {
    /// A message, or a notice about the subscription.
    public enum Element: Sendable {
        case message(BusMessage)
        /// The connection was lost and restored; messages that were published in the meantime are missing.
        case resubscribed
    }

    let inputs: BusInputs

    public struct AsyncIterator: AsyncIteratorProtocol {
        var inputs: BusInputs.AsyncIterator

        public mutating func next() async -> Element? {
            while let input = await inputs.next() {
                switch input {
                case .message(let topic, let frames): return .message(BusMessage(topic: topic, frames: frames))
                case .resubscribed: return .resubscribed
                default: continue
                }
            }
            return nil
        }
    }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(inputs: inputs.makeAsyncIterator()) }
}

/// Subscribes to topics by prefix while `body` runs.
///
/// `body` starts when the bus has confirmed the subscription. From then on, no message is missed while the connection
/// lasts. There is no timeout for the confirmation; cancel the task to give up.
///
/// ```swift
/// try await withSubscription(to: ["update/"], at: BusAddress("tcp://127.0.0.1:5555")) { messages in
///     for await case .message(let message) in messages { print(message.topic) }
/// }
/// ```
public func withSubscription<Result>(
    to prefixes: [String],
    at address: BusAddress,
    _ body: (SubscriptionMessages) async throws -> Result
) async throws -> Result {
    try await withBusClient(BusConfiguration(addresses: BusAddresses(address), subscriptions: prefixes)) { client in
        try await client.becomeReady()
        return try await body(SubscriptionMessages(inputs: client.inputs))
    }
}

extension BusClient {
    /// Waits until the bus has confirmed the client's subscriptions, which the client reports with the input `ready`.
    ///
    /// Drops the inputs before `ready`. If the client stops because of an error, throws that error. If the inputs end
    /// before `ready`, throws a `CancellationError`.
    func becomeReady() async throws {
        for await input in inputs {
            switch input {
            case .ready: return
            case .stopped(let error?): throw error
            default: continue
            }
        }
        throw CancellationError()
    }
}
