// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Testing
import WidgetSchema

@testable import Configuration

/// Tests of the destinations of the service delivery: what is read, and which errors have which place.
@Suite struct DestinationConfigurationTests {
    private typealias Destination = TidingsConfiguration.Destination

    private static let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

    private func parse(_ text: String) throws -> TidingsConfiguration.Destination {
        let configuration = try TidingsConfiguration.parse("destinations:\n\(text)")
        return try #require(configuration.destinations.first)
    }

    private func error(_ text: String) throws -> String {
        try #require(throws: ConfigurationErrors.self) { try TidingsConfiguration.parse("destinations:\n\(text)") }
            .description
    }

    @Test func allKeysOfAWebhookAreRead() throws {
        let hook = try parse(
            """
              hook:
                kind: webhook
                url: https://api.example.org/in
                secret: [\(Self.secret), "${OLD_SECRET}"]
                headers: {X-Key: "${KEY}"}
                pictures: https://tidings.example.org
                widgets: [news, blog]
                displays: [phone]
                result: [newData, failed]
                reason: visibleChange
                highPriority: {widgets: news, result: failed}
                budget: {perDay: 40, spacing: 20m, reserve: 5}
                timeout: 5s
                initial: state
            """
        )
        #expect(hook.kind == .webhook && hook.mode == .latest && hook.sendsState && hook.timeout == .seconds(5))
        #expect(hook.filter.widgets?.map(\.rawValue).sorted() == ["blog", "news"])
        #expect(hook.filter.displays?.map(\.rawValue).sorted() == ["phone-compact", "phone-expanded"])
        #expect(hook.filter.results == [.newData, .failed] && hook.filter.reasons == [.visibleChange])
        #expect(hook.highPriority?.widgets?.map(\.rawValue) == ["news"] && hook.highPriority?.results == [.failed])
        #expect(hook.budget?.perDay == 40 && hook.budget?.spacing == .seconds(1_200) && hook.budget?.reserve == 5)
        #expect(hook.secrets == [Self.secret, "${OLD_SECRET}"] && hook.pictures == "https://tidings.example.org")
    }

    @Test func eachKindHasItsOwnKeysAndDefaults() throws {
        let phone = try parse("  phone: {kind: ntfy, url: https://ntfy.sh/news, token: t, replace: true, title: News}")
        #expect(phone.replaces && phone.token == "t" && phone.title == "News" && phone.budget == nil)
        #expect(phone.filter.results == [.newData] && phone.filter.widgets == nil)
        #expect(try parse("  lamp: {kind: command, command: [/bin/lamp, -g]}").command == ["/bin/lamp", "-g"])
        #expect(try parse("  all: {kind: apprise, urls: \"${URLS}\", picture: phone-compact}").picture != nil)
        #expect(try parse("  each: {kind: command, command: [a], mode: every}").mode == .every)
        let home = try parse("  home: {kind: mqtt, url: \"mqtts://broker.example.org\", user: u, password: \"${PW}\"}")
        #expect(
            home.sendsState && !home.homeAssistant && home.topics == "tidings/home" && home.discovery == "homeassistant"
        )
        #expect(home.user == "u" && home.password == "${PW}" && home.certificates == nil)
        let other = try parse(
            """
              other: {kind: mqtt, url: "mqtt://broker", topic: house/wall, homeAssistant: true, discovery: ha, initial: changes,
                certificates: /etc/broker.pem, picture: phone-compact, pictures: "https://tidings.example.org"}
            """
        )
        #expect(!other.sendsState && other.homeAssistant && other.topics == "house/wall" && other.discovery == "ha")
        #expect(other.certificates == "/etc/broker.pem" && other.picture != nil && other.pictures != nil)
    }

    @Test func theSettingsOfDevicesAreReadAndHaveDefaults() throws {
        let none = try TidingsConfiguration.parse("{}").devices
        #expect(none.apns == nil && none.budget.perDay == 40 && none.budget.spacing == .seconds(1_200))
        let devices = try TidingsConfiguration.parse(
            """
            devices:
              apns: {key: keys/AuthKey.p8, keyID: ABC123DEFG, teamID: DEF123GHIJ}
              contact: mailto:admin@example.org
              budget: {perDay: 60, spacing: 15m}
            """,
            file: "/etc/tidings/tidings.yml"
        ).devices
        #expect(devices.apns?.keyFile == "/etc/tidings/keys/AuthKey.p8" && devices.apns?.keyID == "ABC123DEFG")
        #expect(devices.apns?.teamID == "DEF123GHIJ" && devices.contact == "mailto:admin@example.org")
        #expect(devices.budget.perDay == 60 && devices.budget.spacing == .seconds(900))
        for (text, expected) in [
            ("apns: {keyID: ABC123DEFG, teamID: DEF123GHIJ}", ":2:9: apns has no key"),
            ("apns: {key: k, keyID: abc, teamID: DEF123GHIJ}", ":2:25: 'abc' must have 10 upper-case letters"),
            ("contact: admin", ":2:12: 'admin' must begin with mailto:"),
            ("budget: {perDay: 4, reserve: 1}", ":2:3: devices have no high priority"),
        ] {
            let error = #expect(throws: ConfigurationErrors.self) {
                try TidingsConfiguration.parse("devices:\n  \(text)")
            }
            #expect(error?.description.contains(expected) == true, "\(error?.description ?? "")")
        }
    }

    @Test func appriseGetsTheURLOfOneService() throws {
        try withFile("destinations:\n  a: {kind: apprise, urls: \"${URLS}\"}\n") { path in
            func load(_ urls: String) throws -> TidingsConfiguration {
                try TidingsConfiguration.load(
                    path: path,
                    environment: ["URLS": urls],
                    needsSecrets: .ofDestinations
                )
            }
            _ = try load("mailto://user:password@example.org?to=a@example.org,b@example.org")
            for urls in ["json://c4nary@host tgram://c4nary", "json://c4nary@host,tgram://c4nary"] {
                let error = #expect(throws: ConfigurationErrors.self) { try load(urls) }
                #expect(error?.description.contains("make one destination for each") == true)
                #expect(error?.description.contains("c4nary") == false)
            }
        }
    }

    @Test func aBrokersAddressFromTheEnvironmentIsCheckedAndNotShown() throws {
        try withFile("destinations:\n  a: {kind: mqtt, url: \"${BROKER}\"}\n") { path in
            func load(_ broker: String) throws -> TidingsConfiguration {
                try TidingsConfiguration.load(
                    path: path,
                    environment: ["BROKER": broker],
                    needsSecrets: .ofDestinations
                )
            }
            _ = try load("mqtt://broker.example.org")
            for broker in ["mqtt://user:c4nary@broker", "http://c4nary", "mqtt://127.0.0.1"] {
                let error = #expect(throws: ConfigurationErrors.self) { try load(broker) }
                #expect(error?.description.contains("url of destination 'a'") == true)
                #expect(error?.description.contains("c4nary") == false)
            }
        }
    }

    @Test(arguments: [
        ("  a: {url: https://example.org/}", ":2:3: destination 'a' has no kind"),
        ("  a: {kind: web}", ":2:13: kind must be webhook"),
        ("  a: {kind: webhook}", ":2:3: destination 'a' has no url"),
        ("  A: {kind: command, command: [x]}", ":2:3: 'A' is not valid: a destination's name"),
        ("  a: {kind: command, command: []}", ":2:31: command has no program"),
        ("  a: {kind: webhook, url: https://e.org/, token: x}", ":2:43: destination 'a' of kind webhook has no"),
        ("  a: {kind: webhook, url: ftp://e.org/}", ":2:27: the URL must begin with"),
        ("  a: {kind: webhook, url: http://localhost/}", "is on a loopback network; to allow it"),
        ("  a: {kind: ntfy, url: https://ntfy.sh}", "names no topic"),
        ("  a: {kind: webhook, url: https://e.org/, secret: abc}", ":2:51: the secret is not valid"),
        ("  a: {kind: webhook, url: https://e.org/, result: new}", ":2:51: result must be newData"),
        ("  a: {kind: webhook, url: https://e.org/, displays: [wall]}", "there is no display 'wall'"),
        ("  a: {kind: webhook, url: https://e.org/, boards: [hall]}", "there is no board 'hall'"),
        ("  a: {kind: command, command: [x], budget: {spacing: 5m}}", "budget has no perDay"),
        ("  a: {kind: command, command: [x], budget: {perDay: 4, reserve: 4}}", "from 0 to 3"),
        ("  a: {kind: command, command: [x], budget: {perDay: 4, reserve: 1}}", "no update has a high priority"),
        ("  a: {kind: command, command: [x], budget: {perDay: 4}, result: noData}", "only changes that people see"),
        ("  a: {kind: command, command: [x], budget: {perDay: 4}, mode: every}", "a budget merges changes"),
        ("  a: {kind: command, command: [x], timeout: 5m}", "timeout must be from 1s to 1m"),
        ("  a: {kind: command, command: [x], webhook: y}", "unknown key 'webhook'"),
        ("  a: {kind: command, exec: [x]}", "did you mean 'command'?"),
        ("  a: {kind: mqtt, url: \"http://broker\"}", ":2:24: the url must be mqtt://HOST"),
        ("  a: {kind: mqtt, url: \"mqtt://192.168.1.2\"}", "is on a private network; to allow it"),
        ("  a: {kind: mqtt, url: \"mqtt://b\", topic: a//b}", "'a//b' must be one to eight parts"),
        ("  a: {kind: mqtt, url: \"mqtt://b\", password: x}", "a password needs a user"),
        ("  a: {kind: mqtt, url: \"mqtt://b\", discovery: x}", "discovery needs homeAssistant: true"),
        (
            "  a: {kind: mqtt, url: \"mqtt://b\", topic: x}\n  b: {kind: mqtt, url: \"mqtt://b\", topic: x}",
            ":3:3: the destinations 'a' and 'b' have the same topic"
        ),
        ("  device-x: {kind: command, command: [x]}", "are those of registered devices"),
        ("  - {kind: command}", "must not be a list"),
    ])
    func anErrorNamesItsPlaceAndTheRemedy(_ text: String, _ expected: String) throws {
        let found = try error(text)
        #expect(found.contains(expected), "\(found)")
    }

    @Test func aWidgetThatDoesNotExistCausesAWarning() throws {
        let text =
            "destinations:\n  a: {kind: command, command: [x], widgets: [newz]}\n"
            + "widgets:\n  news: {kind: feed, source: https://example.org/feed}\n"
        let warnings = try TidingsConfiguration.parse(text).warnings
        #expect(warnings == ["tidings.yml:2:46: there is no widget 'newz'; did you mean 'news'?"])
    }

    @Test func secretsComeFromTheEnvironmentOnlyForThoseWhoNeedThem() throws {
        let text = "destinations:\n  a: {kind: webhook, url: \"https://e.org/${PART}\", secret: \"${HOOK_SECRET}\"}\n"
        try withFile(text) { path in
            func load(_ environment: [String: String], _ needed: NeededSecrets) throws -> TidingsConfiguration {
                try TidingsConfiguration.load(path: path, environment: environment, needsSecrets: needed)
            }
            _ = try load([:], .ofSources)
            let missing = #expect(throws: ConfigurationErrors.self) { try load([:], .ofDestinations) }
            #expect(missing?.errors.count == 2)
            let configuration = try load(["PART": "x", "HOOK_SECRET": Self.secret], .ofDestinations)
            let filled = try #require(configuration.destinations.first).filled(with: configuration.destinationSecrets)
            #expect(filled.url == "https://e.org/x" && filled.secrets == [Self.secret])
            for wrong in [["PART": " ", "HOOK_SECRET": Self.secret], ["PART": "x", "HOOK_SECRET": "c4nary"]] {
                let error = #expect(throws: ConfigurationErrors.self) { try load(wrong, .ofDestinations) }
                #expect(error?.description.contains("with the values of the environment") == true)
                #expect(error?.description.contains("c4nary") == false)
            }
        }
    }

    @Test func anAddressOfAnNtfyServerFromTheEnvironmentNamesATopic() throws {
        let text = "destinations:\n  a: {kind: ntfy, url: \"${NTFY}\"}\n"
        try withFile(text) { path in
            func load(_ address: String) throws -> TidingsConfiguration {
                try TidingsConfiguration.load(path: path, environment: ["NTFY": address], needsSecrets: .ofDestinations)
            }
            let error = #expect(throws: ConfigurationErrors.self) { try load("https://ntfy.example.org/") }
            #expect(error?.description.contains("names no topic") == true)
            #expect(error?.description.contains("ntfy.example.org") == false)
            _ = try load("https://ntfy.example.org/news")
        }
    }

    @Test func theExamplesInTheDocumentationAreValid() throws {
        let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let text = try String(contentsOf: repository.appending(path: "docs/delivery.md"), encoding: .utf8)
        let blocks = text.components(separatedBy: "```yaml\n").dropFirst().compactMap {
            $0.components(separatedBy: "```").first
        }
        let kinds = try blocks.flatMap { try TidingsConfiguration.parse($0).destinations.map(\.kind) }
        #expect(Set(kinds) == Set(Destination.Kind.allCases))
    }
}
