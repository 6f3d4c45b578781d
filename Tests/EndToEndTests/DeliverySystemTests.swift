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
    private static let keys =
        #"{"p256dh":"BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4","#
        + #""auth":"BTBZMqHH6r4Tts7J_aSIgg"}"#

    private static func registration(_ endpoint: String = "https://push.example.org/\(canary)") -> String {
        #"{"kind":"webPush","subscription":{"endpoint":"\#(endpoint)","keys":\#(keys)},"widgets":["blog"]}"#
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
        try await withScriptedOrigin { origin in
            origin.serve("/feed", body: rss("One"))
            for path in ["/\(Self.canary)", "/"] { origin.serve(path, body: "") }
            let server = origin.url("")
            let arguments = FileManager.default.temporaryDirectory.appending(path: "arguments-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: arguments) }
            let destinations = """
                gateway: {accessLog: true}
                destinations:
                  hook: {kind: webhook, url: "\(server)/${CANARY}", secret: "${SECRET}", headers: {X-Key: "${CANARY}"}, allowPrivateNetworks: true}
                  dead: {kind: webhook, url: "http://127.0.0.1:1/${CANARY}", allowPrivateNetworks: true}
                  phone: {kind: ntfy, url: "\(server)/${CANARY}", token: "${CANARY}", allowPrivateNetworks: true}
                  some: {kind: apprise, urls: "json://${CANARY}@127.0.0.1:1/"}
                  home: {kind: mqtt, url: "mqtt://127.0.0.1:1", user: "${CANARY}", password: "${CANARY}", allowPrivateNetworks: true}
                  lamp: {kind: command, command: [sh, -c, "cat > /dev/null; cat /proc/[0-9]*/cmdline > \(arguments.path)"]}
                """
            let secrets = ["CANARY": Self.canary, "SECRET": Self.signingSecret, "TIDINGS_LOG_LEVEL": "trace"]
            let widgets = ["blog": "{kind: feed, source: \"\(origin.url("/feed"))\"}"]
            try await RunningSystem.with(widgets, environment: secrets, more: destinations) { system in
                let token = try system.createToken(.read, .act)
                try await system.start("delivery")
                let port = try await system.startGateway()
                let bearer = ["Authorization": "Bearer \(token.text)"]
                let device = try await get(
                    port,
                    "/v1/devices/browser-1",
                    method: "PUT",
                    headers: bearer.merging(["Content-Type": "application/json"]) { $1 },
                    body: Self.registration()
                )
                #expect(device.status == 200)
                // Each destination and the browser get this change; the browser's push service does not exist.
                origin.serve("/feed", body: rss("Two", "One"))
                #expect(await origin.waitForRequests("/\(Self.canary)", count: 1, deadline: .seconds(30)))
                #expect(await origin.waitForRequests("/", count: 1, deadline: .seconds(30)))
                let hook = try #require(origin.requests("/\(Self.canary)").first)
                #expect(hook.header("X-Key") == Self.canary)
                #expect(hook.header("webhook-signature")?.hasPrefix("v1,") == true)
                #expect(origin.requests("/").first?.header("Authorization") == "Bearer \(Self.canary)")

                var said = ""
                let file = system.file("tidings.yml").path
                for command in [
                    ["explain", "blog"], ["budget"], ["check", file], ["check", "--destinations", file],
                    ["deliver", "test", "hook"], ["deliver", "test", "dead"],
                ] {
                    said += try await Self.output(command, system, secrets)
                }
                #expect(said.contains("hook") && said.contains("dead"))
                for path in ["/metrics", "/v1/health", "/v1/operations", "/v1/configuration"] {
                    said += String(decoding: try await get(port, path, headers: bearer).body, as: UTF8.self)
                }
                said += try await Self.output(["budget"], system, secrets)
                for service in ["bus", "cache", "fetcher", "layout", "notifier", "delivery", "gateway"] {
                    said += system.log(of: service)
                }
                said += String(decoding: try Data(contentsOf: arguments), as: UTF8.self)
                #expect(!said.contains(Self.canary))
                #expect(!said.contains(Self.signingSecret.dropFirst(6)))
                try await system.stop("delivery")
                let folder = system.file("data")
                for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
                    guard let bytes = FileManager.default.contents(atPath: folder.appending(path: name).path) else {
                        continue
                    }
                    // A device's address is in the store, and nothing of the configuration.
                    let secret = name.hasPrefix("delivery") ? Self.signingSecret : Self.canary
                    #expect(bytes.range(of: Data(secret.utf8)) == nil, "\(name)")
                }
                try await system.start("delivery")
            }
        }
    }

    /// Returns the text that a `tidings` command writes to standard output and standard error.
    private static func output(
        _ arguments: [String],
        _ system: RunningSystem,
        _ secrets: [String: String]
    ) async throws -> String {
        let environment = secrets.merging(["TIDINGS_BUS": system.address.description]) { $1 }
        let command = try SpawnedService("tidings", arguments, environment: environment)
        var text = ""
        while let line = try await command.nextLine() { text += line + "\n" }
        return text + (try await command.allEnded())
    }
}
