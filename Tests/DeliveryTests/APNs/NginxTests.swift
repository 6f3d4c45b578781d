// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import HTTPTransport
import ServiceRuntime
import TestSupport
import Testing
import WidgetSchema

@testable import Delivery

/// Pushes to nginx, which sends GOAWAY after a number of requests as Apple's servers do.
@Suite(.serialized, .timeLimit(.minutes(3))) struct NginxTests {
    private static let gone = String(repeating: "aa", count: 32)
    private static let present = String(repeating: "bb", count: 32)

    @Test func pushesOutliveConnectionsThatTheServerShutsDown() async throws {
        try await withNginx { origin, client in
            let service = APNsService(
                key: try await APNsTests.key(),
                transport: client,
                origin: { _ in origin },
                clock: { .now }
            )
            let server = ScriptedAPNs.Sending(service: service)
            for number in 0..<40 {
                let outcome = try await server.send(Self.present, message: "msg_\(number)")
                #expect(outcome == .delivered)
            }
            try await withThrowingTaskGroup(of: DeliveryOutcome.self) { group in
                for number in 40..<80 {
                    group.addTask { try await server.send(Self.present, message: "msg_\(number)") }
                }
                for try await outcome in group { #expect(outcome == .delivered) }
            }
            #expect(OutcomeKind(try await server.send(Self.gone, message: "msg_gone")) == .gone)
        }
    }

    private func withNginx(_ body: (String, HTTPClient) async throws -> Void) async throws {
        let port = try freePort()
        let configuration = """
            pid nginx.pid;
            error_log stderr warn;
            events {}
            http {
                access_log off;
                client_body_temp_path .; proxy_temp_path .; fastcgi_temp_path .; uwsgi_temp_path .; scgi_temp_path .;
                server {
                    listen 127.0.0.1:\(port) ssl http2;
                    ssl_certificate certificate.pem;
                    ssl_certificate_key key.pem;
                    keepalive_requests 5;
                    location / { proxy_pass http://answers; }
                }
                # nginx resets the stream of a request whose body it has not read; the answers of a proxy follow the body.
                upstream answers { server unix:answers.sock; }
                server {
                    listen unix:answers.sock;
                    location / { return 200; }
                    location /3/device/\(Self.gone) { return 410 '{"reason":"Unregistered","timestamp":1890000000000}'; }
                }
            }
            """
        let script = """
            PATH="$PATH:/usr/sbin"
            openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=127.0.0.1 \
              -addext subjectAltName=IP:127.0.0.1 -keyout key.pem -out certificate.pem 2>/dev/null
            nginx -p "$PWD" -c nginx.conf -g 'daemon off;' </dev/null &
            until openssl s_client -connect 127.0.0.1:\(port) </dev/null >/dev/null 2>&1; do kill -0 $! || exit 1; done
            pwd
            cat >/dev/null
            kill $!
            """
        try await withSpawnedService("/bin/sh", ["-c", script], files: ["nginx.conf": configuration]) { server in
            let folder = try #require(try await server.nextLine(), "nginx does not listen: \(server.standardError)")
            let configuration = HTTPClientConfiguration(
                userAgent: "Tidings/test",
                maximumConnectionsPerServer: APNsService.connections,
                certificateFile: folder + "/certificate.pem",
                allowedAddresses: [try #require(IPAddress("127.0.0.1"))]
            )
            try await withHTTPClient(configuration: configuration) { client in
                try await body("https://127.0.0.1:\(port)", client)
            }
            try server.closeInput()
            _ = try await server.exitStatus()
        }
    }
}
