// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

package import MessageBus
package import WidgetSchema

/// An error that prevents the bus from starting or continuing, with the remedy.
package enum BusError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Other machines can reach the endpoint, but the configuration does not allow this.
    ///
    /// The bus does not authenticate clients, and `BusServerConfiguration.allowWithoutKeys` is false.
    case exposed(Endpoint)
    case folder(String, problem: String)
    case socket(ZeroMQError)
    /// The bus reached its memory limit.
    ///
    /// `limit` is in bytes. The cause is either a peer that sends a message without end, or subscribers that read too
    /// slowly.
    case memory(limit: Int)

    package var description: String {
        switch self {
        case .exposed(let endpoint):
            "\(endpoint) can be reached from other machines, and everyone who reaches a bus without keys is trusted; "
                + "use a loopback address or ipc://FOLDER, or set bus.allowWithoutKeys"
        case .folder(let folder, let problem): "folder \(folder) \(problem)"
        case .socket(let error): error.description
        case .memory(let limit):
            "the bus uses more than \(limit >> 20) MiB of memory: a peer sends a message that does not end, or "
                + "subscribers read too slowly; find the peer, or raise the limit with --memory MIB"
        }
    }
}
