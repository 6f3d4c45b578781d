// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
package import WidgetSchema

/// The configuration of a client: its identification, its proxy and its connections.
package struct HTTPClientConfiguration: Sendable, Hashable {
    package static let defaultMaximumConnections = 256

    /// The value of the header `User-Agent` in requests that do not set this header, for example `Tidings/1.0`.
    package var userAgent: String
    package var proxy: HTTPProxy
    /// The maximum number of open connections, including idle ones, in each of the client's two sets of connections.
    ///
    /// One set is for requests that may reach private networks, the other is for all other requests. If the maximum is
    /// reached, further transfers of the set wait. The waiting time counts towards their deadlines.
    package var maximumConnections: Int
    /// The maximum number of open connections to one server in each of the two sets; nil for no such maximum.
    ///
    /// If it is set, a request waits for a connection that is being opened, and shares it if the server speaks HTTP/2.
    /// If the maximum is reached, requests wait; the waiting time counts towards their deadlines.
    package var maximumConnectionsPerServer: Int?
    /// The PEM file with the trusted certificate authorities; nil to trust those of the system.
    package var certificateFile: String?
    /// Fixed addresses of host names, in the form `NAME:PORT:ADDRESS[,ADDRESS…]`.
    ///
    /// ``AddressGuard`` checks a connection to such an address like any other connection.
    package var knownNames: [String]
    /// Addresses that may be contacted even if they are in a rejected range.
    package var allowedAddresses: Set<IPAddress>

    package init(
        userAgent: String,
        proxy: HTTPProxy = .environment,
        maximumConnections: Int = defaultMaximumConnections,
        maximumConnectionsPerServer: Int? = nil,
        certificateFile: String? = systemCertificateFile,
        knownNames: [String] = [],
        allowedAddresses: Set<IPAddress> = []
    ) {
        self.userAgent = userAgent
        self.proxy = proxy
        self.maximumConnections = maximumConnections
        self.maximumConnectionsPerServer = maximumConnectionsPerServer
        self.certificateFile = certificateFile
        self.knownNames = knownNames
        self.allowedAddresses = allowedAddresses
    }

    /// The value of the environment variable `SSL_CERT_FILE`; nil if the variable is empty or not set.
    ///
    /// Other programs use this variable too.
    package static var systemCertificateFile: String? {
        ProcessInfo.processInfo.environment["SSL_CERT_FILE"].flatMap { $0.isEmpty ? nil : $0 }
    }
}
