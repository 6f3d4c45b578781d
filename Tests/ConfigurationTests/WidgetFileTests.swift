// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import TestSupport
import Testing
import WidgetSchema

@testable import Configuration

/// The folder `widgets.d` beside the configuration's file.
@Suite struct WidgetFileTests {
    private let temporary: TemporaryFolder
    private var folder: URL { temporary.url }
    private var file: String { folder.appending(path: "tidings.yml").path() }

    init() throws {
        temporary = try TemporaryFolder()
        try write("widgets:\n  first: {kind: feed, source: push}\n", to: "tidings.yml")
    }

    private func write(_ text: String, to name: String) throws {
        let url = folder.appending(path: name)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    /// Tries to write the file of the widget `news`, and returns why that is refused; nil if it is written.
    private func refusal(of text: String) throws -> String? {
        let new = WidgetFile(id: try #require(WidgetID(rawValue: "news")), beside: file)
        do throws(WidgetFile.Failure) {
            try new.write(text, checkedWith: file)
            #expect(new.exists)
            return nil
        } catch {
            #expect(!new.exists)
            return "\(error)"
        }
    }

    private func load() -> (ids: [String], errors: [String]) {
        let (configuration, errors) = TidingsConfiguration.loadPartially(path: file, environment: [:])
        return (configuration.widgets.map(\.id.rawValue), errors.map(\.description))
    }

    @Test func widgetsOfTheFolderStandBesideThoseOfTheFile() throws {
        try write("widgets:\n  second: {kind: quote, source: push}\n", to: "widgets.d/b.yml")
        try write("widgets:\n  alpha: {kind: json, source: push, items: {title: /a}}\n", to: "widgets.d/a.yml")
        try write("not: [read", to: "widgets.d/notes.txt")
        #expect(load().ids == ["alpha", "first", "second"])
        #expect(load().errors == [])
    }

    @Test func positionsAreInTheOrderOfTheLinesOfAllFiles() throws {
        let text = "widgets:\n  zebra: {kind: quote, source: push}\n  ant: {kind: quote, source: push}\n"
        try write(text, to: "widgets.d/a.yml")
        let (configuration, _) = TidingsConfiguration.loadPartially(path: file, environment: [:])
        let widgets = configuration.widgets.sorted { $0.fileIndex < $1.fileIndex }
        #expect(widgets.map(\.id.rawValue) == ["first", "zebra", "ant"])
        #expect(widgets.map(\.fileIndex) == [0, 1, 2])
    }

    @Test func aFaultInAFileOfTheFolderIsToldWithItsPlace() throws {
        let widgets = "widgets:\n  first: {kind: feed, source: push}\n  second: {kind: fed, source: push}\n"
        try write(widgets, to: "widgets.d/b.yml")
        let (ids, errors) = load()
        #expect(ids == ["first"])
        try #require(errors.count == 2)
        #expect(errors[0].contains("widgets.d/b.yml:2:3") && errors[0].contains("'first' is already defined"))
        #expect(errors[1].contains("widgets.d/b.yml:3:18") && errors[1].contains("did you mean 'feed'?"))
    }

    @Test func aWidgetIsWrittenOnlyIfTheWholeConfigurationIsValidWithIt() throws {
        let id = try #require(WidgetID(rawValue: "news"))
        let new = WidgetFile(id: id, beside: file)
        let source = "https://example.org/a?b=c%22"
        #expect(throws: WidgetFile.Failure.self) {
            try new.write("widgets:\n  news: {kind: feed}\n", checkedWith: file)
        }
        #expect(!new.exists && load().ids == ["first"])
        let entry = WidgetEntryText(id: id, parsing: Parsing(kind: .feed), url: source)
        try new.write("widgets:\n" + entry.text, checkedWith: file)
        #expect(new.exists && load().ids == ["first", "news"])
        #expect(throws: WidgetFile.Failure.self) {
            try new.write("widgets:\n  first: {kind: feed, source: push}\n", checkedWith: file)
        }
    }

    // YAML has several ways to write the same text.
    @Test(arguments: ["${PATH}", "$\\x7bPATH}", "\\x24{PATH}", "\\u0024\\u007BPATH}", "$\\\n      {PATH}", "a${PATH}b"])
    func anEntryWithAnEnvironmentVariableIsNotWritten(value: String) throws {
        func entry(_ value: String) -> String {
            "widgets:\n  news: {kind: feed, source: {url: \"https://example.org/\", headers: {X-Key: \"\(value)\"}}}\n"
        }
        #expect(try refusal(of: entry(value))?.contains("the environment variable PATH cannot be used here") == true)
        #expect(try refusal(of: entry("$${PATH}")) == nil)
    }

    // A service that opens a pipe waits for its writer, and for ever if there is none.
    @Test(.timeLimit(.minutes(1)), arguments: ["pipe", "folder", "device"])
    func whatIsNoRegularFileIsAnErrorWithItsPlace(type: String) throws {
        for name in ["widgets.d/b.yml", "tidings.yml"] {
            let path = folder.appending(path: name).path()
            try write("", to: name)
            try FileManager.default.removeItem(atPath: path)
            switch type {
            case "pipe": #expect(mkfifo(path, 0o600) == 0)
            case "folder": try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            default: try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/dev/zero")
            }
            let problem = type == "folder" ? "Is a directory" : "it is not a regular file"
            #expect(load().errors.contains { $0.hasPrefix("\(path): cannot be read: \(problem)") })
            try FileManager.default.removeItem(atPath: path)
        }
    }

    @Test func aFolderOfWidgetsThatIsNoFolderIsAnError() throws {
        try write("", to: "widgets.d")
        #expect(load().errors.contains { $0.contains("widgets.d: cannot be read: Not a directory") })
    }

    @Test(arguments: [
        "", "widgets:\n", "# only a comment\n", "widgets:\n  other: {kind: feed, source: push}\n",
        "widgets:\n  news: {kind: feed, source: push}\n  other: {kind: feed, source: push}\n",
    ])
    func anEntryThatDoesNotDefineItsWidgetAloneIsNotWritten(text: String) throws {
        #expect(try refusal(of: text)?.contains("must define the widget 'news' and no other one") == true)
    }

    @Test func anEntryThatReachesPrivateNetworksIsNotWritten() throws {
        func entry(_ isAllowed: Bool, _ address: String) -> String {
            "widgets:\n  news: {kind: feed, source: {url: \"\(address)\", allowPrivateNetworks: \(isAllowed)}}\n"
        }
        for address in ["http://192.168.0.1/", "https://example.org/"] {
            #expect(try refusal(of: entry(true, address))?.contains("allowPrivateNetworks cannot be used here") == true)
        }
        #expect(try refusal(of: entry(false, "https://example.org/")) == nil)
    }

    @Test func anEntryThatReadsAFileIsNotWritten() throws {
        try write("fetching: {fileDirectory: .}\nwidgets:\n  first: {kind: feed, source: push}\n", to: "tidings.yml")
        let refusal = try refusal(of: "widgets:\n  news: {kind: feed, source: {file: tidings.yml}}\n")
        #expect(refusal?.contains("source: {file: …} cannot be used here") == true)
    }

    @Test func rowsAreWrittenWithTheirPointers() throws {
        let id = try #require(WidgetID(rawValue: "on"))
        let options = ["list": "/data/builds", "title": "/branch", "link": "/url"]
        let parsing = Parsing(kind: .json, options: options)
        let entry = WidgetEntryText(id: id, parsing: parsing, url: "https://example.org/")
        let configuration = try TidingsConfiguration.parse("widgets:\n" + entry.text)
        #expect(configuration.widgets.first?.id == id)
        #expect(configuration.widgets.first?.parsing.options == options)
    }
}
