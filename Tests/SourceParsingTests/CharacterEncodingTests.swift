// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Testing
import WidgetSchema

@Suite struct CharacterEncodingTests {
    private func title(_ bytes: [UInt8], encoding: String? = nil, contentType: String? = nil) throws -> String? {
        let declaration = "<?xml version='1.0'\(encoding.map { " encoding='\($0)'" } ?? "")?>"
        var document = Data((declaration + "<rss><channel><item><title>").utf8)
        document.append(contentsOf: bytes)
        document.append(contentsOf: "</title></item></channel></rss>".utf8)
        return try FeedSamples.parse(document, contentType: contentType).items.first?.title
    }

    @Test func theDeclarationIsFollowed() throws {
        #expect(try title([0x47, 0x72, 0xfc, 0xdf, 0x65], encoding: "iso-8859-1") == "Grüße")
        #expect(try title([0xcf, 0xf0, 0xe8], encoding: "windows-1251") == "При")
        #expect(try title([0x93, 0xfa, 0x96, 0x7b], encoding: "Shift_JIS") == "日本")
        #expect(try title([0xc4, 0xe3, 0xba, 0xc3], encoding: "gb2312") == "你好")
        #expect(try title([0xc7, 0xd1], encoding: "euc-kr") == "한")
        let escaped: [UInt8] = [0x1b, 0x24, 0x42, 0x46, 0x7c, 0x4b, 0x5c, 0x1b, 0x28, 0x42]
        #expect(try title(escaped, encoding: "ISO-2022-JP") == "日本")
    }

    @Test func theHeaderComesBeforeTheDeclaration() throws {
        let type = #"text/xml; charset="koi8-r""#
        #expect(try title([0xf0, 0xd2, 0xc9], encoding: "iso-8859-1", contentType: type) == "При")
    }

    @Test func bytesThatAreUTF8AreReadSoWhateverIsDeclared() throws {
        let bytes = Array("Grüße 日本".utf8)
        #expect(try title(bytes, encoding: "iso-8859-1", contentType: "text/xml; charset=us-ascii") == "Grüße 日本")
        #expect(try title(bytes, encoding: "utf-16") == "Grüße 日本")
        #expect(try title(bytes, encoding: "no-such-charset") == "Grüße 日本")
    }

    @Test func whatIsNotDeclaredIsTakenForWindows1252() throws {
        #expect(try title([0x93, 0x80, 0x94]) == "“€”")
        #expect(try title([0xfc], encoding: "no-such-charset") == "ü")
    }

    @Test func damagedUTF8LosesTheDamagedCharacterOnly() throws {
        #expect(try title([0x61, 0xff, 0x62], encoding: "utf-8") == "a\u{FFFD}b")
    }

    @Test(arguments: [String.Encoding.utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf32BigEndian])
    func documentsOfTwoAndFourByteCharactersAreRead(encoding: String.Encoding) throws {
        let text = FeedSamples.rss("<item><title>Grüße 🧭</title></item>")
        for mark in ["\u{FEFF}", ""] {
            let bytes = try #require((mark + text).data(using: encoding))
            #expect(try FeedSamples.parse(bytes).items.first?.title == "Grüße 🧭")
            // Cut within a character.
            _ = try? FeedSamples.parse(bytes.dropLast(1))
        }
    }

    @Test func utf8ButForAFewBytesIsUTF8WhateverIsDeclared() throws {
        let bytes = Array("Grüße aus Köln ".utf8) + [0xff]
        for (encoding, type) in [(nil, nil), ("windows-1251", nil), ("iso-8859-1", "text/xml; charset=iso-8859-1")]
            as [(String?, String?)]
        {
            #expect(try title(bytes, encoding: encoding, contentType: type) == "Grüße aus Köln \u{FFFD}")
        }
    }

    @Test func aDeclarationThatDoesNotFitLosesAgainstOneThatDoes() throws {
        let type = "text/xml; charset=utf-8"
        #expect(try title([0xcf, 0xf0, 0xe8], encoding: "windows-1251", contentType: type) == "При")
        #expect(try title([0x93, 0xfa, 0x96, 0x7b], encoding: "Shift_JIS", contentType: type) == "日本")
        let japanese = "text/xml; charset=euc-jp"
        #expect(try title([0x93, 0xfa, 0x96, 0x7b], encoding: "Shift_JIS", contentType: japanese) == "日本")
        let russian = "text/xml; charset=windows-1251"
        #expect(try title([0xcf, 0xf0, 0xe8], encoding: "utf-8", contentType: russian) == "При")
    }

    @Test func jsonIsUTF8WhateverIsDeclared() throws {
        let start = Array(#"{"version": "https://jsonfeed.org/version/1.1", "items": [{"id": "1", "title": ""#.utf8)
        let bytes = start + [0x61, 0xe9, 0x62] + Array(#""}]}"#.utf8)
        let feed = try FeedSamples.parse(Data(bytes), contentType: "application/json; charset=windows-1251")
        #expect(feed.items.first?.title == "a\u{FFFD}b")
    }

    @Test(arguments: [false, true]) func halfASurrogatePairCostsOneCharacter(isBigEndian: Bool) throws {
        var units: [UInt16] = [0xfeff] + Array(FeedSamples.rss("<item><title>a").utf16)
        units += [0xd83d] + Array("b".utf16) + [0xdc00] + Array("c</title></item>".utf16)
        units += Array("<item><title>next</title></item></channel></rss>".utf16)
        let text = FeedSamples.rss("")
        #expect(text.hasSuffix("</channel></rss>"))
        units.replace(Array("</channel></rss>".utf16), with: [], maxReplacements: 1)
        let bytes = units.flatMap {
            isBigEndian ? [UInt8($0 >> 8), UInt8($0 & 255)] : [UInt8($0 & 255), UInt8($0 >> 8)]
        }
        let titles = try FeedSamples.parse(Data(bytes)).items.map(\.title)
        #expect(titles == ["a\u{FFFD}b\u{FFFD}c", "next"])
    }

    @Test func ebcdicIsKnownByItsFirstCharacters() throws {
        // A feed with one item in code page 37.
        let digits = Array(
            "4c6fa7949340a58599a28996957e7df14bf07d6f6e4c99a2a26e4c838881959585936e4c89a385946e4ca389a3"
                + "93856e81824c61a389a393856e4c6189a385946e4c61838881959585936e4c6199a2a26e"
        )
        let bytes = stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(digits[$0...($0 + 1)]), radix: 16)
        }
        #expect(try FeedSamples.parse(Data(bytes)).items.map(\.title) == ["ab"])
    }

    @Test func namesOfEncodingsThatBrowsersKnowAreKnown() throws {
        #expect(try title([0x8e], encoding: "x-mac-roman") == "é")
        #expect(try title([0xa4, 0xa4, 0xa4, 0xe5], encoding: "Big5") == "中文")
        #expect(try title([0xa1], encoding: "tis-620") == "ก")
    }

    @Test func aByteOrderMarkAndSpaceBeforeTheDeclarationDoNoHarm() throws {
        let text = "\u{FEFF} \n" + FeedSamples.rss("<item><title>x</title></item>")
        #expect(try FeedSamples.parse(text).items.first?.title == "x")
    }
}
