// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Testing
import WidgetSchema

@testable import Cache

/// The JSON of stored records, which later versions must read.
@Suite struct StoredRecordTests {
    private static let booleans = ["isRefreshing", "movesOn"]

    private func record() throws -> WidgetRecord {
        WidgetRecord(try #require(CacheFixture.plan().widgets[CacheFixture.widget(0)]))
    }

    /// Returns the JSON of a widget's record in which the two Boolean values are replaced by `value`.
    private func row(with value: String) throws -> Data {
        let text = String(decoding: try WireJSON.encode(try record()), as: UTF8.self)
        let members = Self.booleans.map { "\"\($0)\":\(value)," }.joined()
        return Data("{\(members)\(text.dropFirst())".utf8)
    }

    @Test func aFalseValueIsNotWrittenAndAMissingOneIsFalse() throws {
        let bytes = try WireJSON.encode(try record())
        for name in Self.booleans { #expect(!String(decoding: bytes, as: UTF8.self).contains(name), "\(name)") }
        let read = try WireJSON.decode(WidgetRecord.self, from: bytes)
        #expect(!read.isRefreshing && !read.advances)
    }

    @Test func aTrueValueIsReadAndWrittenUnderTheNameOfEarlierVersions() throws {
        let read = try WireJSON.decode(WidgetRecord.self, from: try row(with: "true"))
        #expect(read.isRefreshing && read.advances)
        let text = String(decoding: try WireJSON.encode(read), as: UTF8.self)
        for name in Self.booleans { #expect(text.contains("\"\(name)\":true"), "\(name)") }
    }

    @Test(arguments: ["false", "null"])
    func aFalseOrEmptyValueOfAnotherVersionIsFalse(value: String) throws {
        let read = try WireJSON.decode(WidgetRecord.self, from: try row(with: value))
        #expect(!read.isRefreshing && !read.advances)
    }

    @Test func aValueOfAnotherTypeIsAnError() throws {
        let bytes = try row(with: "\"yes\"")
        #expect(throws: WireError.self) { try WireJSON.decode(WidgetRecord.self, from: bytes) }
    }

    @Test func theUsualPauseIsStoredInMilliseconds() throws {
        let row = Data(#"{"lastChange":"2026-11-21T00:00:00.000Z","pause":90000,"pauses":4}"#.utf8)
        let cadence = try WireJSON.decode(Cadence.self, from: row)
        #expect(cadence.usualInterval == .seconds(90))
        #expect(cadence.silentFrom == cadence.lastChange.advanced(by: Cadence.minimumSilence))
        #expect(try WireJSON.encode(cadence) == row)
    }
}
