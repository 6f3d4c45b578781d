// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Dispatch
import Glibc
import Locking
import ServiceRuntime
import WidgetSchema

/// A check that finds out whether a bus is unreachable because its host name is unknown.
enum HostLookup {
    /// The maximum time to wait for a name server.
    static let timeout: DispatchTimeInterval = .seconds(2)

    private final class Outcome: Sendable {
        let code = Lock<Int32>(EAI_AGAIN)
        let ended = DispatchSemaphore(value: 0)
    }

    /// Returns the error message for the first address with an unknown host; nil if all hosts are known.
    static func problem(of addresses: BusAddresses) -> String? {
        for address in addresses.all {
            if let problem = problem(of: address) { return problem }
        }
        return nil
    }

    /// Returns the error message if the host of the address is unknown; nil if the host is known, or if the address
    /// contains no host name.
    ///
    /// Blocks for at most `timeout`. If no name server has answered in this time, the host counts as unknown.
    private static func problem(of address: BusAddress) -> String? {
        guard case .tcp(let host, _) = address.request, !host.hasPrefix("["), host != "*" else { return nil }
        let outcome = Outcome()
        ServiceThread.start(named: "host-lookup") {
            var found: UnsafeMutablePointer<addrinfo>?
            let code = getaddrinfo(host, nil, nil, &found)
            if let found { freeaddrinfo(found) }
            outcome.code.withLock { $0 = code }
            outcome.ended.signal()
        }
        _ = outcome.ended.wait(timeout: .now() + timeout)
        let code = outcome.code.withLock(\.self)
        guard code != 0 else { return nil }
        let reason = code == EAI_AGAIN ? "no name server answers" : String(cString: gai_strerror(code))
        return "the host '\(host)' of the bus's address is unknown: \(reason); name another with --bus or TIDINGS_BUS"
    }
}
