// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import TestSupport
import Testing

/// `tidings inspect` for kinds beside feeds.
@Suite(.timeLimit(.minutes(3)))
struct InspectKindTests {
    private func inspect(_ text: String, _ arguments: [String]) async throws -> CommandRun {
        try await CommandRun.tidings(["inspect"] + arguments + ["-"], input: Data(text.utf8))
    }

    @Test(arguments: [
        (
            "forecast", "{\"daily\":{\"time\":[\"2026-11-21\"],\"weather_code\":[3]}}",
            "{\"forecast\":{\"days\":[{\"condition\":\"cloudy\",\"date\":\"2026-11-21\"}]},\"kind\":\"forecast\"}\n"
        ),
        (
            "keyValue", "{\"b\":1.50,\"a\":true}",
            "{\"keyValue\":{\"pairs\":[{\"key\":\"a\",\"value\":\"true\"},{\"key\":\"b\",\"value\":\"1.50\"}]},\"kind\":\"keyValue\"}\n"
        ),
        ("quote", "[\"Words\"]", "{\"kind\":\"quote\",\"quote\":{\"quotes\":[{\"text\":\"Words\"}]}}\n"),
        (
            "documents", "[{\"title\":\"A\",\"url\":\"app://a\"}]",
            "{\"documents\":{\"documents\":[{\"id\":\"app://a\",\"link\":\"app://a\",\"title\":\"A\"}]},\"kind\":\"documents\"}\n"
        ),
    ])
    func aDocumentIsShownAsItsKind(kind: String, document: String, content: String) async throws {
        let run = try await inspect(document, ["--kind", kind]).succeeded()
        #expect(run.output == content)
        // What it writes it reads, too.
        #expect(try await inspect(run.output, ["--kind", kind]).output == content)
    }

    @Test func optionsDescribeRows() async throws {
        let run = try await inspect(
            "{\"l\":[{\"n\":\"A\",\"u\":\"a\"}]}",
            ["-k", "json", "-o", "list=/l", "-o", "title=/n", "-o", "link=/u", "--base", "https://example.org/x/"]
        ).succeeded()
        #expect(run.output.contains("\"link\":\"https://example.org/x/a\""))
        let facts = try await inspect("{\"a\":{\"b\":7}}", ["-k", "keyValue", "-o", "value.0=B=/a/b"])
        #expect(facts.output.contains("{\"key\":\"B\",\"value\":\"7\"}"))
    }

    @Test func aWidgetOfTheConfigurationSaysHow() async throws {
        let folder = try makeTemporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let text = """
            widgets:
              builds: {kind: json, source: push, items: {list: /l, title: /n}}
              place: {kind: keyValue, source: push, values: {Town: /city, Land: /country}}
            """
        try Data(text.utf8).write(to: folder.appendingPathComponent("tidings.yml"))
        func inspect(_ document: String, _ arguments: [String]) async throws -> CommandRun {
            try await CommandRun.tidings(["inspect"] + arguments + ["-"], input: Data(document.utf8), in: folder)
        }
        let rows = try await inspect("{\"l\":[{\"n\":\"A\"}]}", ["--widget", "builds"])
        #expect(rows.output.contains("\"title\":{\"text\":\"A\"}"), "\(rows.errors)")
        let place = #"{"city":"Oslo","country":"Norway"}"#
        let facts = try await inspect(place, ["-w", "place", "-c", "tidings.yml"])
        #expect(facts.output.contains(#"[{"key":"Town","value":"Oslo"},{"key":"Land","value":"Norway"}]"#))
        let unknown = try await inspect("{}", ["-w", "build"])
        #expect(unknown.status == 1)
        #expect(unknown.errors.contains("there is no widget 'build' in the configuration; did you mean 'builds'?"))
        #expect(try await inspect("{}", ["-w", "place", "-k", "json"]).status == 2)
    }

    @Test(arguments: [
        ("forecast", "{\"days\":[\n{\"date\":\"soon\"}]}", "standard input:2:9: /days/0/date: 'soon' is not a date"),
        (
            "keyValue", "{\"a\":1,\n}",
            "standard input:2:1: the document is not valid JSON: a name in quotation marks was expected"
        ),
        (
            "quote", "[{\"q\":\"Too many requests.\",\"a\":\"zenquotes.io\"}]",
            "standard input:1:2: /0: the origin says: "
        ),
        ("documents", "", "standard input: the document is empty"),
        (
            "json", "[]",
            "standard input:1:1: the document is not in Tidings's own form for rows; set 'list' and 'title'"
        ),
    ])
    func aFaultNamesItsPlace(kind: String, document: String, message: String) async throws {
        let run = try await inspect(document, ["--kind", kind])
        #expect(run.status == 1)
        #expect(run.errors.hasPrefix("tidings: \(message)"), "\(run.errors)")
        #expect(run.errorLines.count == 1)
    }
}
