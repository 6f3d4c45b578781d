// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import Foundation
public import WidgetSchema

/// An input that a client receives from the bus.
///
/// All inputs of a client pass through one queue, so they have one common order.
public enum BusInput: Sendable {
    /// The client is ready.
    ///
    /// All its subscriptions are active. If it publishes, its publisher is connected. If it registers, the registration
    /// is acknowledged. With two buses, the client may be ready at only one of them.
    ///
    /// `ready` arrives once. Messages of a subscription may arrive earlier.
    case ready
    /// The subscriptions are active again after the connection was lost; messages that were published during the
    /// interruption are missing.
    ///
    /// With two buses, this input also arrives when the subscriptions become active at the second one after `ready`.
    case resubscribed
    /// The publisher is connected: messages published from now on reach the bus.
    ///
    /// `again` is true if the connection was lost before, or if the second of two buses is connected after `ready`. In
    /// this case, messages that were published in the meantime may be lost.
    case publisherConnected(again: Bool)
    /// A message of a subscribed topic.
    ///
    /// The first of `frames` is the event's JSON. The other frames are contents: binary data whose digests are in the
    /// JSON.
    case message(topic: Topic, frames: [Data])
    /// A request to this service, which must answer with `BusClient.reply`.
    case request(IncomingRequest)
    /// The service has answered the request with this id.
    ///
    /// `json` is `{"result": …}`. `contents` are the content frames that follow the JSON in the answer.
    case answer(RequestID, json: Data, contents: [Data])
    /// The request with this id failed: it could not be sent, the answer is an error, or the deadline passed.
    case requestFailed(RequestID, RequestError)
    /// The bus rejected the registration of this instance; the client retries with each heartbeat.
    case registrationRefused(RequestError)
    /// A value that another thread of this process added with `BusClient.post`.
    case posted(any Sendable)
    /// The last input: the client was closed, or its thread failed.
    ///
    /// The value is the error of the thread; nil if the client was closed.
    case stopped(ZeroMQError?)
}
