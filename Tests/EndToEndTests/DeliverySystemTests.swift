// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import AccessTokens
import Foundation
import HTTPTransport
import OriginSupport
import TestSupport
import Testing
import WidgetSchema

/// The service delivery in a running system: registered devices, and secrets that stay where they are.
@Suite(.serialized, .timeLimit(.minutes(3))) struct DeliverySystemTests {
    private static let canary = "c4nary-0f-a-destination"
    private static let signingSecret = "whsec_YzRuYXJ5YzRuYXJ5YzRuYXJ5YzRuYXJ5YzRuYXJ5"
    /// The token of an app on a device of Apple, which is a part of the address of its pushes.
    private static let deviceToken = String(repeating: "ca7a1e57", count: 8)
    /// The beginning of the reason that delivery logs for a server with the certificate of another one.
    private static let unreachable = "The server did not answer: SSL"
    private static let keys =
        #"{"p256dh":"BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4","#
        + #""auth":"BTBZMqHH6r4Tts7J_aSIgg"}"#

    private static func registration(_ endpoint: String = "https://push.example.org/\(canary)") -> String {
        #"{"kind":"webPush","subscription":{"endpoint":"\#(endpoint)","keys":\#(keys)},"widgets":["blog"]}"#
    }

    private static func appleRegistration(
        _ environment: String,
        push: String = "widgets",
        token: String = deviceToken
    ) -> String {
        #"{"kind":"apns","push":"\#(push)","token":"\#(token)","bundle":"org.example.News","#
            + #""environment":"\#(environment)","widgets":["blog"]}"#
    }

    @Test func aBrowserRegistersThroughTheGatewayAndStaysRegisteredAfterAKill() async throws {
        try await RunningSystem.with(feed: rss("One"), of: "blog") { _, system in
            let token = try system.createToken(.act)
            let port = try await system.startGateway()
            func send(_ method: String, _ body: String? = nil, token: AccessToken? = token) async throws -> HTTPResponse
            {
                var headers = ["Content-Type": "application/json"]
                if let token { headers["Authorization"] = "Bearer \(token.text)" }
                return try await get(port, "/v1/devices/browser-1", method: method, headers: headers, body: body)
            }
            let early = try await send("PUT", Self.registration())
            #expect(early.status == 503)
            #expect(early.headers["retry-after"] != nil)
            try await system.start("delivery")
            let key = try #require(try json(try await get(port, "/v1/pushKey"))["publicKey"] as? String)
            #expect(key.count == 87)
            #expect(try await send("PUT", Self.registration(), token: nil).status == 401)
            let registered = try await send("PUT", Self.registration())
            #expect(registered.status == 200)
            #expect(try json(registered)["expires"] is String)

            try await system.killAndStart("delivery")
            #expect(try json(try await get(port, "/v1/pushKey"))["publicKey"] as? String == key)
            for (body, status) in [
                (Self.registration("http://push.example.org/\(Self.canary)"), 422), (#"{"kind":"pager"}"#, 400),
                (Self.registration().replacing(#""widgets""#, with: #""widget""#), 400),
            ] {
                let refused = try await send("PUT", body)
                #expect(refused.status == status)
                #expect(!String(decoding: refused.body, as: UTF8.self).contains(Self.canary))
            }
            #expect(try await send("DELETE").status == 200)
            #expect(try await send("DELETE").status == 404)
            for service in ["bus", "gateway", "delivery"] { #expect(!system.log(of: service).contains(Self.canary)) }
        }
    }

    @Test func aSecretReachesItsDestinationAndNoLogAnswerStoreOrArgument() async throws {
        let key = try await Self.newKey()
        let keyLines = key.split(separator: "\n").filter { !$0.hasPrefix("-----") }.map { String($0) }
        #expect(keyLines.count == 3)
        try await Self.withServers { origin, apple in
            origin.serve("/feed", body: rss("One"))
            for path in ["/\(Self.canary)", "/"] { origin.serve(path, body: "") }
            let server = origin.url("")
            let arguments = FileManager.default.temporaryDirectory.appending(path: "arguments-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: arguments) }
            let destinations = """
                gateway: {accessLog: true}
                devices:
                  apns: {key: AuthKey.p8, keyID: ABC123DEFG, teamID: DEF123GHIJ}
                destinations:
                  hook: {kind: webhook, url: "\(server)/${CANARY}", secret: "${SECRET}", headers: {X-Key: "${CANARY}"}, allowPrivateNetworks: true}
                  dead: {kind: webhook, url: "http://127.0.0.1:1/${CANARY}", allowPrivateNetworks: true}
                  phone: {kind: ntfy, url: "\(server)/${CANARY}", token: "${CANARY}", allowPrivateNetworks: true}
                  some: {kind: apprise, urls: "json://${CANARY}@127.0.0.1:1/"}
                  home: {kind: mqtt, url: "mqtt://127.0.0.1:1", user: "${CANARY}", password: "${CANARY}", allowPrivateNetworks: true}
                  lamp: {kind: command, command: [sh, -c, "cat > /dev/null; cat /proc/[0-9]*/cmdline > \(arguments.path)"]}
                """
            let environment = [
                "CANARY": Self.canary, "SECRET": Self.signingSecret, "TIDINGS_LOG_LEVEL": "trace",
                "https_proxy": "http://127.0.0.1:\(apple.port)", "SSL_CERT_FILE": apple.certificate,
            ]
            let widgets = ["blog": "{kind: feed, source: \"\(origin.url("/feed"))\"}"]
            try await RunningSystem.with(
                widgets,
                environment: environment,
                files: ["AuthKey.p8": key],
                more: destinations
            ) { system in
                let token = try system.createToken(.read, .act)
                try await system.start("delivery")
                let port = try await system.startGateway()
                let bearer = ["Authorization": "Bearer \(token.text)"]
                var said = ""
                for (device, registration, status) in [
                    ("browser-1", Self.registration(), 200),
                    ("phone-1", Self.appleRegistration("production"), 200),
                    ("tablet-1", Self.appleRegistration("sandbox", push: "background"), 200),
                    ("watch-1", Self.appleRegistration("production", token: Self.deviceToken + "z"), 422),
                ] {
                    let answer = try await get(
                        port,
                        "/v1/devices/\(device)",
                        method: "PUT",
                        headers: bearer.merging(["Content-Type": "application/json"]) { $1 },
                        body: registration
                    )
                    #expect(answer.status == status, "\(device)")
                    said += String(decoding: answer.body, as: UTF8.self)
                }
                // Each destination and device gets this change. The certificate is neither that of the browser's push
                // service nor that of Apple's sandbox, so these two cannot be reached.
                origin.serve("/feed", body: rss("Two", "One"))
                #expect(await origin.waitForRequests("/\(Self.canary)", count: 1, deadline: .seconds(30)))
                #expect(await origin.waitForRequests("/", count: 1, deadline: .seconds(30)))
                let hook = try #require(origin.requests("/\(Self.canary)").first)
                #expect(hook.header("X-Key") == Self.canary)
                #expect(hook.header("webhook-signature")?.hasPrefix("v1,") == true)
                #expect(origin.requests("/").first?.header("Authorization") == "Bearer \(Self.canary)")
                let push = try await apple.next()
                #expect(push.headers[":path"] == "/3/device/\(Self.deviceToken)")
                let authorization = try #require(push.headers["authorization"])
                #expect(authorization.hasPrefix("bearer "))
                for _ in ["browser-1", "tablet-1"] {
                    try await system.wait(for: Self.unreachable, inLogOf: "delivery")
                }

                said += try await Self.said(by: system, at: port, bearer, environment)
                said += String(decoding: try Data(contentsOf: arguments), as: UTF8.self)
                for text in ["hook", "dead", "ok      devices.apns", Self.unreachable] {
                    #expect(said.contains(text), "\(text)")
                }
                let configured = [String(Self.signingSecret.dropFirst(6))] + keyLines
                let addresses = [Self.canary, Self.deviceToken]
                for secret in configured + addresses + [String(authorization.dropFirst(7))] {
                    #expect(!said.contains(secret), "\(secret)")
                }
                try await system.stop("delivery")
                let folder = system.file("data")
                for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
                    guard let bytes = FileManager.default.contents(atPath: folder.appending(path: name).path) else {
                        continue
                    }
                    // The addresses of devices are in the store of delivery, and nothing of the configuration.
                    for secret in name.hasPrefix("delivery") ? configured : configured + addresses {
                        #expect(bytes.range(of: Data(secret.utf8)) == nil, "\(name): \(secret)")
                    }
                }
                try await system.start("delivery")
            }
        }
    }

    /// Returns a private key in the form of Apple's files `AuthKey_….p8`.
    private static func newKey() async throws -> String {
        let command = ["openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"]
        let program = try await EndedProgram.run(command)
        #expect(program.status == 0, "\(program.errors)")
        return program.output
    }

    /// Runs `body` beside an origin, which is the server of the webhooks, too, and a server in the place of Apple's.
    private static func withServers(_ body: (ScriptedOrigin, APNsServer) async throws -> Void) async throws {
        try await withScriptedOrigin { origin in
            try await APNsServer.with { apple in try await body(origin, apple) }
        }
    }

    /// Returns the texts of commands, the gateway's answers and all logs.
    private static func said(
        by system: RunningSystem,
        at port: Int,
        _ headers: [String: String],
        _ environment: [String: String]
    ) async throws -> String {
        var said = ""
        let file = system.file("tidings.yml").path
        for command in [
            ["explain", "blog"], ["budget"], ["check", file], ["check", "--destinations", file],
            ["deliver", "test", "hook"], ["deliver", "test", "dead"], ["budget"],
        ] {
            said += try await output(command, system, environment)
        }
        for path in ["/metrics", "/v1/health", "/v1/operations", "/v1/configuration"] {
            said += String(decoding: try await get(port, path, headers: headers).body, as: UTF8.self)
        }
        for service in ["bus", "cache", "fetcher", "layout", "notifier", "delivery", "gateway"] {
            said += system.log(of: service)
        }
        return said
    }

    /// Returns the text that a `tidings` command writes to standard output and standard error.
    private static func output(
        _ arguments: [String],
        _ system: RunningSystem,
        _ environment: [String: String]
    ) async throws -> String {
        let own = environment.merging(["TIDINGS_BUS": system.address.description]) { $1 }
        let command = try SpawnedService("tidings", arguments, environment: own)
        var text = ""
        while let line = try await command.nextLine() { text += line + "\n" }
        return text + (try await command.allEnded())
    }
}
