// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import MessageBus
import TestSupport
import Testing
import WidgetSchema

/// Origins that answer well once, and then break each rule of TCP, TLS, HTTP and content codings in turn.
@Suite(.timeLimit(.minutes(4))) struct MisbehavingOriginTests {
    /// The expected time of the next attempt.
    enum NextAttempt: Hashable {
        /// After the first pause of the back-off.
        case soon
        /// After the first pause for what asking again will not change.
        case late
        case after(seconds: Int64)
        case never

        /// Returns whether a pause in milliseconds is as expected; nil means no further attempt.
        func holds(_ pause: Int64?) -> Bool {
            switch (self, pause) {
            case (.never, nil): true
            case (.soon, let pause?): (1000...1100).contains(pause)
            case (.late, let pause?): (3_600_000...3_960_000).contains(pause)
            case (.after(let seconds), let pause?): pause == seconds * 1000
            default: false
            }
        }
    }

    struct Expectation: Hashable {
        var failure: AttemptFailure.Class
        var next: NextAttempt

        static let transient = Expectation(failure: .transient, next: .soon)
        static let malformed = Expectation(failure: .malformed, next: .soon)
        static let permanent = Expectation(failure: .permanent, next: .late)
        static let gone = Expectation(failure: .permanent, next: .never)
        static func rateLimited(_ seconds: Int64) -> Expectation {
            Expectation(failure: .rateLimited, next: .after(seconds: seconds))
        }
    }

    /// The expected failure of each way to misbehave.
    ///
    /// The ways `tolerated-…` and `status-304` do not fail and are not in the table.
    static let expectations: [String: Expectation] = Dictionary(
        uniqueKeysWithValues: [
            (
                Expectation.transient,
                [
                    "closes-at-once", "resets-at-once", "ends-within-the-status-line", "ends-within-the-headers",
                    "body-shorter-than-its-length", "resets-within-the-body", "ends-within-a-chunk",
                    "ends-between-chunks", "head-by-drops", "body-by-drops", "never-answers",
                    "silent-after-the-head", "chunks-of-a-byte", "redirect-to-no-host", "redirect-to-a-closed-port",
                    "status-206", "status-500", "status-502", "status-503",
                    "chunk-size-is-no-number", "chunk-size-overflows", "chunk-longer-than-announced",
                    "length-is-negative", "length-is-no-number", "lengths-differ", "status-is-no-number",
                    "protocol-of-the-future", "no-head-at-all", "speaks-ssh", "speaks-tls", "random-bytes",
                    "h2-stream-reset-before-the-answer", "h2-stream-reset-within-the-body", "h2-stream-refused",
                    "h2-stream-cancelled", "h2-goes-away-before-the-answer", "h2-goes-away-with-an-error",
                    "h2-ends-within-the-body", "h2-ends-without-an-answer", "h2-silent",
                    "h2-silent-after-the-headers", "h2-frame-too-long", "h2-headers-that-cannot-be-decoded",
                    "h2-headers-without-a-status", "h2-length-differs", "h2-data-before-headers",
                    "h2-continuation-without-headers", "h2-settings-of-a-wrong-size", "h2-headers-without-end",
                    "h2-promise-that-nobody-wants", "tls-alert-instead-of-a-greeting", "tls-warning-then-silence",
                    "tls-closes-within-the-handshake", "tls-resets-within-the-handshake", "tls-silent",
                    "tls-that-is-none", "tls-random-bytes", "tls-certificate-of-a-stranger",
                    "tls-certificate-of-another-name", "tls-certificate-that-has-expired",
                    "tls-resets-within-the-body",
                ]
            ),
            (
                .malformed,
                [
                    "feed-cut-with-a-right-length", "feed-cut-at-its-end", "body-is-empty", "gzip-cut-in-half",
                    "gzip-without-its-end", "gzip-with-a-wrong-sum", "deflate-that-is-none",
                    "brotli-that-is-none", "twenty-codings", "tls-cut-without-its-alert",
                    "page-to-sign-in", "words-in-place-of-a-feed", "json-in-place-of-a-feed",
                    "bytes-in-place-of-a-feed", "status-204",
                ]
            ),
            (
                .permanent,
                [
                    "length-is-a-quintillion", "body-without-end", "gzip-bomb", "headers-without-end",
                    "interim-answers-without-end", "header-line-of-200-kilobytes", "redirect-to-itself",
                    "redirect-to-itself-for-good", "redirect-to-a-file", "redirect-to-ftp", "redirect-to-metadata",
                    "redirect-to-no-address", "redirect-to-nowhere", "status-400",
                    "status-401", "status-403", "status-404", "status-412", "status-418", "status-999",
                ]
            ),
            (.gone, ["status-410"]),
            (.rateLimited(7), ["status-429-retry-after"]),
            (.rateLimited(5), ["status-503-retry-after"]),
            (.rateLimited(30), ["status-403-x-ratelimit-remaining-x-ratelimit-reset"]),
            (.rateLimited(600), ["status-429"]),
        ].flatMap { expectation, names in names.map { ($0, expectation) } }
    )

    @Test func everyFailureHasItsClassAndItsNextAttemptAndLeavesTheContentAlone() async throws {
        try await HostileOrigin.with { origin in
            let tolerated = origin.ways.keys.filter { $0.hasPrefix("tolerated-") || $0 == "status-304" }
            #expect(Set(origin.ways.keys).subtracting(tolerated) == Set(Self.expectations.keys))
            #expect(Self.expectations.count >= 60)
            // Names of ways have dots, those of widgets have not.
            let widgets = Dictionary(uniqueKeysWithValues: origin.ways.map { ($0.replacing(".", with: "-"), $1) })
            try await RunningSystem.read(
                widgets,
                // A request may take the lease but for a second: six redirects, too, while all origins send at once.
                fetching: ["interval": "1s", "minimumInterval": "1s", "leaseDuration": "12s"],
                environment: ["SSL_CERT_FILE": origin.authority]
            ) { system, reader in
                try await reader.read("an answer in each way", within: .seconds(90)) { record in
                    widgets.keys.allSatisfy { record.count($0) >= 3 || record.last($0)?.result == "failed" }
                }
                try await Self.check(system, Set(tolerated.map { $0.replacing(".", with: "-") }))
            }
        }
    }

    /// Compares all updates of each widget with what is expected of its way.
    private static func check(_ system: RunningSystem, _ tolerated: Set<String>) async throws {
        let updates = try await updates(system)
        for (widget, updates) in updates {
            let good = try #require(updates.first { $0.reason == .firstContent }, "\(widget)")
            // What people see is what the first answer gave, to the last.
            for update in updates.drop(while: { $0.reason != .firstContent }).dropFirst() {
                #expect(update.changed.isEmpty, "\(widget)")
                #expect(update.displays.mapValues(\.digest) == good.displays.mapValues(\.digest), "\(widget)")
                #expect(update.summary == "Kept" || update.failure != nil, "\(widget): \(update.summary)")
            }
            let failed = updates.first { $0.failure != nil }
            if tolerated.contains(widget) {
                #expect(failed == nil, "\(widget): \(failed?.failure?.message ?? "")")
                continue
            }
            guard let failed, let failure = failed.failure else {
                Issue.record("\(widget) did not fail: \(updates.map(\.reason))")
                continue
            }
            let (expected, committed) = (try #require(expectations[widget]), try #require(failed.times.committed))
            #expect(failure.class == expected.failure, "\(widget): \(failure.message)")
            let pause = failure.nextAttempt.map { $0.milliseconds(since: committed) }
            #expect(expected.next.holds(pause), "\(widget): \(pause.map { "\($0) ms" } ?? "never")")
            #expect(!failure.message.isEmpty)
        }
    }

    /// Returns all updates that the notifier keeps, by widget.
    private static func updates(_ system: RunningSystem) async throws -> [String: [Update]] {
        try await withBusClient(BusConfiguration(address: system.address)) { client in
            let notifier = RequestTarget(.notifier)
            var found: [String: [Update]] = [:]
            var from: [WidgetID: SequenceNumber] = [:]
            var last: WidgetID?
            repeat {
                let request = SnapshotRequest<Update>(after: last)
                let page = try await client.ask(notifier, request, deadline: .seconds(10)).result
                for record in page.records {
                    let widget = try #require(record.subject.flatMap(WidgetID.init(rawValue:)))
                    (from[widget], last) = (SequenceNumber(1), widget)
                }
                if !page.more { break }
            } while true
            while !from.isEmpty {
                let request = ReplayRequest<Update>(from: from)
                let page = try await client.ask(notifier, request, deadline: .seconds(10)).result
                for record in page.records {
                    let widget = try #require(record.subject.flatMap(WidgetID.init(rawValue:)))
                    found[widget.rawValue, default: []].append(record.data)
                    from[widget] = try #require(record.range?.sequence.next)
                }
                if !page.more { break }
            }
            return found
        }
    }
}
