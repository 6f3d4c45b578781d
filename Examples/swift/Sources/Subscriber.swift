// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Glibc
import MessageBus
import WidgetSchema

/// Prints the result of each update: `subscriber [ADDRESS]`.
@main
struct Subscriber {
    static func main() async throws {
        let address = try BusAddress(CommandLine.arguments.dropFirst().first ?? "tcp://127.0.0.1:5555")
        try await withSubscription(to: ["update/"], at: address) { messages in
            for await message in messages {
                switch message {
                case .message(let message):
                    let event = try WireJSON.decode(Event<Update>.self, from: message.frames[0])
                    print(
                        event.subject ?? "?",
                        event.data.result.rawValue,
                        event.data.reason.rawValue,
                        event.data.summary
                    )
                case .resubscribed:
                    print("Reconnected; Examples/python/follow.py shows how to request missing updates.")
                }
                // Prints each line immediately, also into a pipe.
                fflush(nil)
            }
        }
    }
}
