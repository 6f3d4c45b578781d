// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import MessageBus
import TestSupport
import Testing
import WidgetSchema

@testable import CommandLineTool

/// Updates as rows.
@Suite struct UpdateTableTests {
    private let names = ["phone-classic", "phone-compact", "phone-expanded"]

    private func event(
        widget: String = "blog",
        _ result: UpdateResult = .newData,
        _ reason: Reason = .visibleChange,
        changed: [String] = [],
        displays: [String]? = nil,
        latency: Int64? = 12,
        summary: String = ""
    ) throws -> Event<Update> {
        let digest = try #require(ContentDigest(rawValue: String(repeating: "0", count: 64)))
        let all = try (displays ?? names).map { try #require(DisplayName(rawValue: $0)) }
        let decided = Instant(milliseconds: 1_763_683_200_123)
        let update = try Update.sample(result, reason) { update in
            update.changed = try changed.map { try #require(DisplayName(rawValue: $0)) }
            for name in all { update.displays[name] = DisplayState(digest: digest, height: 177.5) }
            update.times = CycleTimes(answered: latency.map { decided.advanced(byMilliseconds: -$0) }, decided: decided)
            update.summary = summary
        }
        let id = try #require(WidgetID(rawValue: widget))
        let range = SequenceRange(1_763_683_200_123)
        return Event(.update(result, id), widget: id, range: range, time: decided, data: update)
    }

    @Test func aRowSaysWhatHappened() throws {
        let utc = try #require(TimeZone(identifier: "UTC"))
        let table = UpdateTable(Terminal(columns: 80, style: .plain), timeZone: utc)
        #expect(table.header == "TIME      WIDGET             RESULT   REASON         HEADLINE")
        let post = try event(changed: ["phone-classic"], summary: "A post")
        #expect(table.row(post) == "00:00:00  blog               newData  visibleChange  A post")
        let narrow = UpdateTable(Terminal(columns: 50, style: .plain), timeZone: utc)
        #expect(narrow.header == "TIME      WIDGET       RESULT   HEADLINE")
        #expect(try narrow.row(event(.noData, .notModified, latency: nil)) == "00:00:00  blog         noData")
        let medium = UpdateTable(Terminal(columns: 100, style: .plain), timeZone: utc)
        #expect(try medium.row(event()).hasSuffix("  1763683200123  newData  visibleChange"))
        let wide = UpdateTable(Terminal(columns: 140, style: .plain), timeZone: utc)
        #expect(wide.row(post).hasSuffix("  visibleChange  phone-classic            12 ms  A post"))
    }

    @Test(arguments: [
        ("https://a.example/feed answered 503", "answered 503"),
        ("https://a.example/x: the document is empty", "the document is empty"),
        ("file:a.xml: cannot be read", "cannot be read"), ("the origin is silent", "the origin is silent"),
        ("https://a.example/", "https://a.example/"),
    ])
    func theHeadlineOfAFailureBeginsWithItsCause(_ message: String, _ headline: String) throws {
        var update = try event(.failed, .transient).data
        update.failure = AttemptFailure(class: .transient, message: message)
        #expect(UpdateTable.headline(update) == headline)
    }

    @Test func theHeadlineOfAVisibleChangeIsWhatIsVisible() throws {
        var update = try event(.newData, .visibleChange, summary: "A post").data
        update.failure = AttemptFailure(class: .transient, message: "https://a.example/feed answered 503")
        #expect(UpdateTable.headline(update) == "A post")
    }

    @Test func aWidgetWithoutContentNamesNoChangedDisplays() throws {
        let event = try event(.noData, .missing, changed: names)
        #expect(UpdateTable.changed(event.data, width: 20).isEmpty)
        #expect(!UpdateReport(event: event, style: .plain).text.contains(", changed"))
    }

    @Test func timesAreThoseOfTheZone() throws {
        let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
        #expect(UpdateTable.clock(Instant(milliseconds: 1_763_683_200_123), berlin) == "01:00:00")
        #expect(UpdateTable.clock(Instant(milliseconds: -1), try #require(TimeZone(identifier: "UTC"))) == "23:59:59")
    }

    @Test(arguments: [0, 40, 80, 100, 120, 200])
    func everyRowFitsTheTerminal(_ columns: Int) throws {
        let table = UpdateTable(Terminal(columns: columns, style: .plain))
        let long = String(repeating: "w", count: 63)
        #expect(table.header.count <= max(UpdateTable.minimumColumns, columns))
        for reason in Reason.allCases {
            for result in UpdateResult.allCases {
                for latency: Int64 in [0, 99_999, 100_000, 999_999_999, 1 << 52] {
                    for count in 0...3 {
                        let row = try table.row(
                            event(widget: long, result, reason, changed: Array(names.prefix(count)), latency: latency)
                        )
                        #expect(row.count <= max(UpdateTable.minimumColumns, columns), "\(row)")
                        #expect(row.contains("1763683200123") == (columns >= UpdateTable.sequenceColumns))
                        #expect(columns < UpdateTable.reasonColumns || row.contains(reason.rawValue))
                        #expect(row.contains(result.rawValue))
                    }
                }
            }
        }
    }

    @Test func changedDisplaysAreNamedAsFarAsThereIsRoom() throws {
        let table = { (changed: [String], width: Int) in
            UpdateTable.changed(try event(changed: changed).data, width: width)
        }
        #expect(try table([], 18).isEmpty)
        #expect(try table([names[0]], 18) == "phone-classic")
        #expect(try table([names[0], names[1]], 18) == "phone-classic +1")
        #expect(try table([names[0], names[1]], 30) == "phone-classic phone-compact")
        #expect(try table(names, 18) == "all 3 displays")
    }

    @Test func coloursStandOnTerminalsOnly() throws {
        let event = try event(.failed, .transient)
        #expect(!UpdateTable(Terminal(columns: 80, style: .plain)).row(event).contains("\u{1B}"))
        #expect(UpdateTable(Terminal(columns: 80, style: .colored)).row(event).contains("\u{1B}[31mfailed\u{1B}[0m"))
    }

    @Test func theHeaderComesOnceAndStrangersCannotSteerTheTerminal() throws {
        let printer = MessagePrinter(Terminal(columns: 80, style: .plain))
        let event = try event()
        let message = BusMessage(topic: Topic("update/newData/blog/"), frames: [try WireJSON.encode(event)])
        #expect(printer.text(message).hasPrefix("TIME "))
        #expect(printer.text(message).contains("  blog "))
        let strange = BusMessage(topic: Topic("update/\u{1B}[2J/"), frames: [Data("{}".utf8)])
        #expect(printer.text(strange) == "update/?[2J/  2 bytes\n")
        let json = Data(#"{"sequence":"00000000000000000042"}"#.utf8)
        let other = BusMessage(topic: Topic("layout/blog/phone/"), frames: [json])
        #expect(printer.text(other) == "layout/blog/phone/  42  35 bytes\n")
    }

    @Test func aReportNamesEverything() throws {
        let text = UpdateReport(event: try event(changed: ["phone-compact"], summary: "A post"), style: .plain).text
        #expect(text.hasPrefix("blog\n  result    newData (visibleChange)\n"))
        #expect(text.contains("  display   phone-compact, 177.5 pt high, changed\n"))
        #expect(text.contains("  summary   A post\n"))
        #expect(text.contains("1763683200123\n"))
    }
}
