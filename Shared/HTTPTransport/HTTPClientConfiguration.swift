// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation

/// The user agent and the connection limits of a client.
package struct HTTPClientConfiguration: Sendable, Hashable {
    package static let defaultMaximumConnections = 256

    /// Sent with every request that brings no `User-Agent` of its own: `Name/Version (+address)`.
    package var userAgent: String
    package var proxy: HTTPProxy
    /// Connections that are open at a time, idle ones included; further transfers wait, and their deadline runs.
    package var maximumConnections: Int
    /// A file of certificate authorities (PEM) that are trusted instead of the system's; nil: the system's.
    package var certificateFile: String?
    /// Addresses of names that no name server is asked for: `NAME:PORT:ADDRESS[,ADDRESS…]`; they are checked as any.
    package var knownNames: [String]
    /// Single addresses that are connected to whatever range they are in.
    package var allowedAddresses: Set<IPAddress>

    package init(
        userAgent: String,
        proxy: HTTPProxy = .environment,
        maximumConnections: Int = defaultMaximumConnections,
        certificateFile: String? = systemCertificateFile,
        knownNames: [String] = [],
        allowedAddresses: Set<IPAddress> = []
    ) {
        self.userAgent = userAgent
        self.proxy = proxy
        self.maximumConnections = maximumConnections
        self.certificateFile = certificateFile
        self.knownNames = knownNames
        self.allowedAddresses = allowedAddresses
    }

    /// The file that `SSL_CERT_FILE` names, as in other programs.
    package static var systemCertificateFile: String? {
        ProcessInfo.processInfo.environment["SSL_CERT_FILE"].flatMap { $0.isEmpty ? nil : $0 }
    }
}
