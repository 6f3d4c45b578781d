// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Glibc
import WidgetSchema

extension TidingsConfiguration {
    /// The address and the rules of the gateway's HTTP server.
    public struct Gateway: Sendable, Equatable {
        public static let defaultPort = 8080

        /// The host to listen on: a numeric address or `localhost`.
        public var host = "127.0.0.1"
        /// The port; 0 lets the system choose one.
        public var port = defaultPort
        /// The address on which clients reach the gateway, if it is not `host`.
        ///
        /// In a container, the gateway listens on all addresses, and the engine publishes its port on this one.
        public var publishedHost: String?
        /// A Boolean value that indicates whether requests that only read data need no token.
        ///
        /// Nil means true if only this machine can reach the gateway, and false otherwise.
        public var openReads: Bool?
        /// A Boolean value that indicates whether requests whose token has the scope `admin` may write files to
        /// `widgets.d`.
        public var addWidgets = false
        /// The valid values of the header `Host`, besides `localhost` and numeric addresses; `*` allows any value.
        public var hosts: [String] = []
        /// The prefix of all request paths, as a proxy forwards them: empty, or a path such as `/tidings`.
        public var basePath = ""
        /// The path of the file with the hashes of tokens; nil for the default file in the folder of the stores.
        public var tokens: String?
        /// The web sites whose pages may read the gateway's answers (CORS), such as `https://home.example`; `*` allows
        /// all sites.
        public var allowedOrigins: [String] = []
        /// The sites whose pages may show the gateway's pages in a frame; if empty, no page may.
        public var frameAncestors: [FrameAncestor] = []
        /// The addresses and address ranges of proxies whose `Forwarded` and `X-Forwarded-…` headers are trusted.
        public var trustedProxies: [String] = []
        /// The maximum number of requests per minute from the address of one client; 0 for no limit.
        ///
        /// If a request comes through a trusted proxy, the address of the client is the one that the proxy reports.
        public var requestsPerMinute = 6_000
        public var maximumConnections = 16_384
        /// The maximum number of concurrent connections from one address; 0 for no limit.
        ///
        /// A connection from a proxy counts for the address of the proxy, not for the address that the proxy reports.
        public var connectionsPerClient = 0
        /// The maximum duration of a client's event stream (`text/event-stream`).
        public var streamLifetime: Duration = .seconds(600)
        /// The interval between heartbeats in a client's event stream (`text/event-stream`).
        public var heartbeat: Duration = .seconds(15)
        /// A Boolean value that indicates whether each answered request is logged.
        public var accessLog = true
        /// The allowed schemes of links in layouts, in addition to http and https.
        public var linkSchemes: [String] = []
        /// The maximum size of the stored pictures of boards in MiB; 0 if none are stored.
        public var boardPictureMebibytes = 64

        public init() {}

        /// A Boolean value that indicates whether only this machine can reach the gateway.
        public var isLoopbackOnly: Bool {
            let host = publishedHost ?? host
            return host == "localhost" || host == "::1" || host.hasPrefix("127.")
        }

        /// A Boolean value that indicates whether requests that only read data need no token.
        public var readsAreOpen: Bool { openReads ?? isLoopbackOnly }

        /// Sets the host and the port from `HOST:PORT` or `[HOST]:PORT`.
        ///
        /// Returns an error message if the text is invalid, and nil otherwise.
        public mutating func take(address: String) -> String? {
            guard let colon = address.lastIndex(of: ":"),
                let port = Int(address[address.index(after: colon)...]), (0...65_535).contains(port)
            else { return "'\(address)' is not a HOST:PORT, such as 127.0.0.1:8080" }
            var host = String(address[..<colon])
            if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
            guard host == "localhost" || Self.isNumeric(host) else {
                return "'\(address)' has no numeric address; use 127.0.0.1 for this machine only, or 0.0.0.0 for all "
                    + "its addresses; names that clients use belong into gateway.hosts"
            }
            self.host = host
            self.port = port
            return nil
        }

        /// Sets the address on which clients reach the gateway: a numeric address without a port, or `localhost`.
        ///
        /// The gateway also listens on it if `listens` is true. Returns an error message if the text is invalid, and nil
        /// otherwise.
        public mutating func take(publishedHost text: String, listens: Bool) -> String? {
            var host = text
            if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
            guard host == "localhost" || Self.isNumeric(host) else {
                return "'\(text)' is not an address; use 127.0.0.1 for this machine only, or 0.0.0.0 for all its "
                    + "addresses. TIDINGS_GATEWAY_PORT sets the port that compose publishes"
            }
            publishedHost = host
            if listens { self.host = host }
            return nil
        }

        /// Returns an error message if a link scheme is invalid, and nil otherwise.
        public static func problem(linkScheme: String) -> String? {
            let isPlain = linkScheme.utf8.allSatisfy { $0.isLowercaseLetter || $0.isDigit || "+-.".utf8.contains($0) }
            guard isPlain, linkScheme.utf8.first?.isLowercaseLetter == true else {
                return
                    "'\(linkScheme)' is not a link scheme; write a lower-case letter, then lower-case letters, digits, "
                    + "'+', '-' or '.', without the colon"
            }
            return nil
        }

        /// Returns an error message if a base path is invalid, and nil otherwise.
        public static func problem(basePath: String) -> String? {
            let parts = basePath.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
            let isPlain = parts.allSatisfy(isLabel)
            guard basePath.isEmpty || (basePath.hasPrefix("/") && isPlain) else {
                return
                    "the base path must begin with '/', must not end with '/', and may have only letters, digits, '-' "
                    + "and '_' between the slashes, such as /tidings"
            }
            return nil
        }
    }
}
