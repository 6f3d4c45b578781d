// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Testing
import WebServer

@testable import Gateway

@Suite struct PageFilesTests {
    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Services/Gateway/Page/Files")

    @Test func theNameOfEveryFontHasTheDigestOfItsBytes() throws {
        let files = try PageFiles(folder: Self.folder)
        let fonts = files.names.filter { $0.hasSuffix(".woff2") }
        #expect(fonts.count == 14)
        for name in fonts { #expect(try #require(files[name]).isImmutable, "\(name) was changed without its name.") }
    }

    @Test func everyFileThatAPageOrAModuleNamesIsThere() throws {
        let files = try PageFiles(folder: Self.folder)
        let patterns = [#/(?:href|src)="page\/([^"]+)"/#, #/(?:from|import\()\s*"\.\/([^"]+)"/#, #/url\("([^"]+)"\)/#]
        var count = 0
        for name in files.names where !name.hasSuffix(".woff2") {
            let text = String(decoding: try #require(files[name]).bytes.data, as: UTF8.self)
            for pattern in patterns {
                for match in text.matches(of: pattern) {
                    let wanted = String(match.output.1).replacing("page/", with: "")
                    #expect(files[wanted] != nil, "\(name) names \(wanted), which is missing.")
                    count += 1
                }
            }
        }
        #expect(count > 40)
    }

    @Test func scriptsAreServedWithoutCommentsOnTheSameLines() throws {
        let source = """
            // SPDX-License-Identifier: MIT
            /** Adds. */
            function add(a) {
              // A comment.
              return `//${a}`; // Stays.
            }
            /* Several
               lines. */
            add(1);
            """
        let file = try #require(PageFile(name: "a.js", data: Data(source.utf8)))
        let expected =
            "// SPDX-License-Identifier: MIT\n\nfunction add(a) {\n\nreturn `//${a}`; // Stays.\n}\n\n\nadd(1);"
        #expect(String(decoding: file.bytes.data, as: UTF8.self) == expected)
        // Indentation is part of such a text.
        let literal = Data("f(`\n  // text\n`);".utf8)
        #expect(try #require(PageFile(name: "b.js", data: literal)).bytes.data == literal)
    }

    @Test func thePagesHaveLessThan160KilobytesWithoutFonts() throws {
        let files = try PageFiles(folder: Self.folder)
        let bytes = files.names.filter { !$0.hasSuffix(".woff2") }.compactMap { files[$0]?.bytes.count }.reduce(0, +)
        #expect((1..<160_000).contains(bytes))
    }

    @Test func noPageHasInlineScriptsOrStyles() throws {
        let files = try PageFiles(folder: Self.folder)
        for name in files.names where name.hasSuffix(".html") {
            let text = String(decoding: try #require(files[name]).bytes.data, as: UTF8.self)
            #expect(
                !text.contains("<style") && !text.contains(" style=") && !text.contains(" on" + "click="),
                "\(name)"
            )
            #expect(text.matches(of: #/<script(?![^>]*src=)/#).isEmpty, "\(name)")
        }
    }

    @Test func aChangedFontIsNotImmutableUnderItsOldName() throws {
        let data = Data("not the font".utf8)
        let file = try #require(PageFile(name: "fonts/inter-regular.2396abef4095.woff2", data: data))
        #expect(!file.isImmutable)
        #expect(PageFile(name: "page.exe", data: data) == nil)
    }
}
