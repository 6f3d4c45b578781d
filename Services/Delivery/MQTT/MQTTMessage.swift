// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation

/// A message to or from a broker.
struct MQTTMessage: Hashable, Sendable {
    var topic: String
    var payload: Data
    /// A Boolean value that indicates whether the broker keeps the message and gives it to each new subscriber.
    ///
    /// For a message from the broker, it indicates whether the message was kept.
    var isRetained: Bool

    init(_ topic: String, _ payload: Data, isRetained: Bool) {
        self.topic = topic
        self.payload = payload
        self.isRetained = isRetained
    }

    init(_ topic: String, _ text: String, isRetained: Bool) {
        self.init(topic, Data(text.utf8), isRetained: isRetained)
    }
}
