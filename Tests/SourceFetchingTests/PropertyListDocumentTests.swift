// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Testing

@testable import SourceFetching

/// Property lists as the JSON that says the same.
@Suite struct PropertyListDocumentTests {
    private var value: [String: Any] {
        [
            "title": "Ünïcode", "count": 3, "ratio": 0.5, "yes": true, "no": false, "one": 1,
            "date": Date(timeIntervalSince1970: 1_763_634_600), "data": Data([1, 2, 3]), "list": ["a", ["b": "c"]],
        ]
    }

    @Test(arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
    func bothFormatsAreRead(_ format: PropertyListSerialization.PropertyListFormat) throws {
        let bytes = try PropertyListSerialization.data(fromPropertyList: value, format: format, options: 0)
        #expect(PropertyListDocument.isOne(bytes))
        let json = String(decoding: try PropertyListDocument.json(of: bytes), as: UTF8.self)
        for part in [
            "\"title\":\"Ünïcode\"", "\"count\":3", "\"ratio\":0.5", "\"yes\":true", "\"no\":false", "\"one\":1",
            "\"date\":\"2025-11-20T10:30:00Z\"", "\"data\":\"AQID\"", "\"list\":[\"a\",{\"b\":\"c\"}]",
        ] {
            #expect(json.contains(part), "\(part) in \(json)")
        }
    }

    @Test(arguments: ["{}", "<rss><title>plist</title></rss>", "", "  ", "<?xml version=\"1.0\"?><rss/>"])
    func otherDocumentsAreNone(_ text: String) {
        #expect(!PropertyListDocument.isOne(Data(text.utf8)))
    }

    @Test func deepOnesAreRefusedAndNotFollowed() throws {
        for (open, close) in [("<array>", "</array>"), ("<dict><key>a</key>", "</dict>"), ("<array\n>", "")] {
            let text =
                "<plist version=\"1.0\">" + String(repeating: open, count: 100_000)
                + String(repeating: close, count: 100_000) + "</plist>"
            #expect(throws: PropertyListDocument.Problem.self) { try PropertyListDocument.json(of: Data(text.utf8)) }
        }
        // Empty ones are no levels.
        let flat = "<plist version=\"1.0\"><array>" + String(repeating: "<array/>", count: 1000) + "</array></plist>"
        #expect(try PropertyListDocument.json(of: Data(flat.utf8)).count == 3001 + 0)
    }

    @Test func brokenOnesAreProblemsAndNoCrashes() throws {
        for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
            let bytes = try PropertyListSerialization.data(fromPropertyList: value, format: format, options: 0)
            for count in 0..<bytes.count { _ = try? PropertyListDocument.json(of: bytes.prefix(count)) }
            for index in bytes.indices {
                for byte: UInt8 in [0, 0x0f, 0xaf, 0xdf, 0xff] {
                    var broken = bytes
                    broken[index] = byte
                    _ = try? PropertyListDocument.json(of: broken)
                }
            }
        }
    }

    @Test func aListThatHoldsItselfIsAProblem() {
        // One array with itself as its element: object 0 at offset 8, a table of one offset, and the trailer.
        var bytes = Data("bplist00".utf8) + Data([0xa1, 0x00, 0x08])
        bytes += Data([0, 0, 0, 0, 0, 0, 1, 1]) + Data([0, 0, 0, 0, 0, 0, 0, 1]) + Data(count: 8)
        bytes += Data([0, 0, 0, 0, 0, 0, 0, 10])
        #expect(throws: PropertyListDocument.Problem.self) { try PropertyListDocument.json(of: bytes) }
    }

    @Test func aDeepBinaryOneIsAProblem() {
        // Each array holds the next one.
        let levels = 20_000
        var bytes = Data("bplist00".utf8)
        var offsets: [Int] = []
        for level in 0..<levels {
            offsets.append(bytes.count)
            let next = level + 1
            bytes += next == levels ? Data([0x09]) : Data([0xa1, UInt8(next >> 8), UInt8(next & 0xff)])
        }
        let table = bytes.count
        for offset in offsets { bytes += Data([UInt8(offset >> 16), UInt8(offset >> 8 & 0xff), UInt8(offset & 0xff)]) }
        func number(_ value: Int) -> Data { Data((0..<8).reversed().map { UInt8(value >> ($0 * 8) & 0xff) }) }
        bytes += Data([0, 0, 0, 0, 0, 0, 3, 2]) + number(levels) + number(0) + number(table)
        #expect(throws: PropertyListDocument.Problem.self) { try PropertyListDocument.json(of: bytes) }
    }
}
