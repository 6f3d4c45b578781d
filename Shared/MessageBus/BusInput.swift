// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import Foundation
public import WidgetSchema

/// An input from the bus to a client; all inputs have one order.
public enum BusInput: Sendable {
    /// Once: all subscriptions hold, the publisher is connected, the registration is acknowledged (what of these the
    /// configuration asks for). Messages of a subscription may come before.
    case ready
    /// The subscriptions hold again after the connection was lost: messages in between are missing.
    case resubscribed
    /// The publisher is connected: messages published from here on reach the bus. `again` means that the connection was
    /// lost before, perhaps with messages.
    case publisherConnected(again: Bool)
    /// A message of a subscribed topic: the event's JSON, then contents.
    case message(topic: Topic, frames: [Data])
    /// Somebody asks this service something; it answers with `BusClient.reply`.
    case request(IncomingRequest)
    /// A request's result: `{"result": …}`, then contents.
    case answer(RequestID, json: Data, contents: [Data])
    /// A request has no result: what the service answered, or that the deadline passed.
    case requestFailed(RequestID, RequestError)
    /// The bus refuses this instance, and will do so again.
    case registrationRefused(RequestError)
    /// Another thread of this process put it here with `BusClient.post`.
    case posted(any Sendable)
    /// The last input: the client was closed, or its thread failed and says why.
    case stopped(ZeroMQError?)
}
