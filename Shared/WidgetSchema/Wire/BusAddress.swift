// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The address of a bus: the endpoints for publishers, for subscribers and for requests.
///
/// The text form is one of:
/// - `tcp://HOST:PORT`: publish at PORT, subscribe at PORT + 1, request at PORT + 2. If PORT is 0, the system
///   chooses three free ports.
/// - `ipc://FOLDER`: the sockets `publish`, `subscribe` and `request` in the folder.
/// - the three endpoints in that order, separated by commas.
public struct BusAddress: Hashable, Sendable, CustomStringConvertible {
    /// The default port for publishers.
    public static let defaultPort: UInt16 = 5555
    /// The loopback address with the default port.
    public static let standard = BusAddress(host: "127.0.0.1", port: defaultPort)

    public var publish: Endpoint
    public var subscribe: Endpoint
    public var request: Endpoint

    public init(publish: Endpoint, subscribe: Endpoint, request: Endpoint) {
        self.publish = publish
        self.subscribe = subscribe
        self.request = request
    }

    private init(host: String, port: UInt16) {
        self.init(
            publish: .tcp(host: host, port: port),
            subscribe: .tcp(host: host, port: port == 0 ? 0 : port + 1),
            request: .tcp(host: host, port: port == 0 ? 0 : port + 2)
        )
    }

    public init(_ text: String) throws(BusAddressError) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        if parts.count == 3 {
            self.init(
                publish: try Endpoint(String(parts[0])),
                subscribe: try Endpoint(String(parts[1])),
                request: try Endpoint(String(parts[2]))
            )
            return
        }
        guard parts.count == 1 else {
            throw BusAddressError(
                text,
                "the address has \(parts.count) endpoints instead of 3: publish,subscribe,request"
            )
        }
        if let folder = text.removingPrefix("ipc://") {
            let base = folder.hasSuffix("/") ? folder.dropLast() : folder[...]
            guard !base.isEmpty else { throw BusAddressError(text, "the address names no folder") }
            self.init(
                publish: try Endpoint("ipc://\(base)/publish"),
                subscribe: try Endpoint("ipc://\(base)/subscribe"),
                request: try Endpoint("ipc://\(base)/request")
            )
            return
        }
        guard case .tcp(let host, let port) = try Endpoint(text) else {
            throw BusAddressError(text, "the address must begin with tcp:// or ipc://")
        }
        guard port <= UInt16.max - 2 else {
            throw BusAddressError(text, "the bus also needs the two ports after \(port), but the highest port is 65535")
        }
        self.init(host: host, port: port)
    }

    /// The three endpoints, separated by commas; this is a valid address too.
    public var description: String { "\(publish),\(subscribe),\(request)" }

    public var endpoints: [Endpoint] { [publish, subscribe, request] }

}

/// An error in an address of the bus, with a description of the valid forms.
public struct BusAddressError: Error, Hashable, Sendable, CustomStringConvertible {
    public let text: String
    public let problem: String

    public init(_ text: String, _ problem: String) {
        self.text = text
        self.problem = problem
    }

    public var description: String {
        "bus address '\(text)': \(problem); write tcp://HOST:PORT, ipc://FOLDER or three endpoints with commas between"
    }
}
