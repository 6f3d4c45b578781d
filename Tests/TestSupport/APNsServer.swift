// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WidgetSchema

/// A server in the place of Apple's push service, which answers as a script says
/// (`DeliveryTests/Fixtures/apns-server.py`).
///
/// It is a proxy, too, which leads to itself. So a service whose variables `https_proxy` and `SSL_CERT_FILE` name this
/// server takes it for api.push.apple.com, and for no other host.
package struct APNsServer: Sendable {
    /// A request that the server has received.
    package struct Received: Decodable, Sendable {
        package var connection: Int
        package var stream: Int
        package var headers: [String: String]
        package var body: String
    }

    private struct Address: Decodable {
        var port: Int
        var certificate: String
    }

    package let port: Int
    /// The path of the PEM file with the server's certificate.
    package let certificate: String
    private let process: SpawnedService

    /// Runs `body` beside a server; `script` has the actions for each token as JSON.
    package static func with<Value>(
        _ script: String = "{}",
        streams: Int = 100,
        _ body: (APNsServer) async throws -> Value
    ) async throws -> Value {
        let program = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../DeliveryTests/Fixtures/apns-server.py").path
        let arguments = ["-B", program, String(streams), script]
        return try await withSpawnedService("/usr/bin/python3", arguments) { process in
            let address: Address = try await line(of: process)
            return try await body(
                APNsServer(port: address.port, certificate: address.certificate, process: process)
            )
        }
    }

    /// Waits for the next request.
    package func next() async throws -> Received { try await Self.line(of: process) }

    private static func line<Line: Decodable>(of process: SpawnedService) async throws -> Line {
        guard let line = try await process.nextLine() else {
            throw DidNotArrive("a line of apns-server.py; its standard error:\n\(process.standardError)")
        }
        return try WireJSON.decode(Line.self, from: Data(line.utf8))
    }
}
