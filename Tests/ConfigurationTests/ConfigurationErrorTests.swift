// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import Foundation
import Testing

/// Returns the errors of a configuration, each without the name of its file.
func errors(_ text: String) -> [String] {
    do {
        _ = try TidingsConfiguration.parse(text, file: "t.yml")
        return []
    } catch {
        return error.errors.map { String("\($0)".dropFirst("t.yml:".count)) }
    }
}

/// Tests that the documents name every key.
@Suite struct KeyDocumentTests {
    @Test(arguments: [
        ("%", "configuration"), ("bus: {%}", "configuration"), ("fetching: {%}", "configuration"),
        ("history: {%}", "configuration"), ("gateway: {%}", "gateway"), ("displays: {a: {%}}", "configuration"),
        ("boards: {a: {%}}", "configuration"), ("widgets: {a: {%}}", "configuration"),
        ("widgets: {a: {source: {%}}}", "configuration"),
    ])
    func everyKeyIsInItsDocument(text: String, document: String) throws {
        let found = errors(text.replacing("%", with: "zzzzzzzzzzzzzzzzzzzz: 1"))
        let known = try #require(found.lazy.compactMap { $0.split(separator: "known keys: ").dropFirst().first }.first)
        let docs = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs")
        let words = try String(contentsOf: docs.appending(path: "\(document).md"), encoding: .utf8)
        #expect(known.split(separator: ", ").filter { !words.contains("\($0):") && !words.contains("`\($0)`") } == [])
    }
}

/// A configuration of `Fixtures/errors.txt`, and its errors: the lines that begin with `!`.
struct ErrorSample: Sendable, CustomTestStringConvertible {
    var text: String
    /// In an error, `…` stands for any text.
    var errors: [String]

    var testDescription: String { text }

    static let all: [ErrorSample] = {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")
        let file = (try? String(contentsOf: folder.appending(path: "errors.txt"), encoding: .utf8)) ?? ""
        return file.split(separator: "\n\n").compactMap { block in
            let lines = block.split(separator: "\n").filter { !$0.hasPrefix("# ") }
            let errors = lines.filter { $0.hasPrefix("! ") }.map { String($0.dropFirst(2)) }
            let text = lines.filter { !$0.hasPrefix("! ") }.joined(separator: "\n")
            return errors.isEmpty ? nil : ErrorSample(text: text, errors: errors)
        }
    }()

    func isMet(by found: [String]) -> Bool {
        found.count == errors.count
            && zip(found, errors).allSatisfy { found, expected in
                let parts = expected.components(separatedBy: "…")
                guard let first = parts.first, let last = parts.last, parts.count > 1 else { return found == expected }
                return found.hasPrefix(first) && found.hasSuffix(last)
                    && parts.allSatisfy { $0.isEmpty || found.contains($0) }
            }
    }
}

@Suite struct ConfigurationErrorTests {
    @Test(arguments: ErrorSample.all)
    func eachErrorIsToldWithItsPlaceAndItsRemedy(_ sample: ErrorSample) {
        let found = errors(sample.text)
        #expect(sample.isMet(by: found), "\(found)")
    }

    @Test func theFileOfErrorsIsRead() { #expect(ErrorSample.all.count == 169) }

    private static let belowDirectory =
        "is not a valid path below fetching.fileDirectory; it must be relative, without '.', '..' or empty parts"

    @Test(arguments: [
        ("file: a.json", "a file source needs fetching.fileDirectory; set it to the directory that contains the file"),
        ("file: ../a.json", "'../a.json' \(belowDirectory)"), ("file: /etc/passwd", "'/etc/passwd' \(belowDirectory)"),
        ("file: a, headers: {A: b}", "a file source cannot have 'headers'; remove it"),
    ])
    func aFileThatIsNoneSaysWhy(_ source: String, _ message: String) {
        let found = errors("widgets: {w: {kind: feed, source: {\(source)}}}")
        #expect(found.contains { $0.hasSuffix(": \(message)") }, "\(found)")
    }

    @Test func aFileIsBelowItsDirectory() throws {
        let text = "fetching: {fileDirectory: files}\nwidgets: {w: {kind: feed, source: {file: sub/a.json}}}"
        let configuration = try TidingsConfiguration.parse(text, file: "/etc/tidings/t.yml")
        #expect(configuration.fetching.fileDirectory == "/etc/tidings/files")
        #expect(configuration.widgets.first?.source?.file == "sub/a.json")
    }
}
