// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Glibc
import Testing
import WidgetSchema

@testable import Configuration

/// The folder `widgets.d` beside the configuration's file.
@Suite struct WidgetFileTests {
    private let folder: URL
    private var file: String { folder.appending(path: "tidings.yml").path() }

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "widgets-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try write("widgets:\n  first: {kind: feed, source: push}\n", to: "tidings.yml")
    }

    private func write(_ text: String, to name: String) throws {
        let url = folder.appending(path: name)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
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
        try FileManager.default.removeItem(at: folder)
    }

    @Test func positionsAreInTheOrderOfTheLinesOfAllFiles() throws {
        try write(
            "widgets:\n  zebra: {kind: quote, source: push}\n  ant: {kind: quote, source: push}\n",
            to: "widgets.d/a.yml"
        )
        let (configuration, _) = TidingsConfiguration.loadPartially(path: file, environment: [:])
        let widgets = configuration.widgets.sorted { $0.fileIndex < $1.fileIndex }
        #expect(widgets.map(\.id.rawValue) == ["first", "zebra", "ant"])
        #expect(widgets.map(\.fileIndex) == [0, 1, 2])
        try FileManager.default.removeItem(at: folder)
    }

    @Test func aFaultInAFileOfTheFolderIsToldWithItsPlace() throws {
        try write(
            "widgets:\n  first: {kind: feed, source: push}\n  second: {kind: fed, source: push}\n",
            to: "widgets.d/b.yml"
        )
        let (ids, errors) = load()
        #expect(ids == ["first"])
        try #require(errors.count == 2)
        #expect(errors[0].contains("widgets.d/b.yml:2:3") && errors[0].contains("'first' is already defined"))
        #expect(errors[1].contains("widgets.d/b.yml:3:18") && errors[1].contains("did you mean 'feed'?"))
        try FileManager.default.removeItem(at: folder)
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
        try FileManager.default.removeItem(at: folder)
    }

    // YAML has several ways to write the same text.
    @Test(arguments: ["${PATH}", "$\\x7bPATH}", "\\x24{PATH}", "\\u0024\\u007BPATH}", "$\\\n      {PATH}", "a${PATH}b"])
    func anEntryWithAnEnvironmentVariableIsNotWritten(value: String) throws {
        let new = WidgetFile(id: try #require(WidgetID(rawValue: "news")), beside: file)
        func entry(_ value: String) -> String {
            "widgets:\n  news: {kind: feed, source: {url: \"https://example.org/\", headers: {X-Key: \"\(value)\"}}}\n"
        }
        let error = #expect(throws: WidgetFile.Failure.self) { try new.write(entry(value), checkedWith: file) }
        #expect("\(error.debugDescription)".contains("the environment variable PATH cannot be used here"))
        #expect(!new.exists)
        try new.write(entry("$${PATH}"), checkedWith: file)
        #expect(new.exists)
        try FileManager.default.removeItem(at: folder)
    }

    // A service that opens a pipe waits for its writer, and for ever if there is none.
    @Test(.timeLimit(.minutes(1)), arguments: ["pipe", "folder", "device"])
    func whatIsNoRegularFileIsAnErrorWithItsPlace(type: String) throws {
        for name in ["widgets.d/b.yml", "tidings.yml"] {
            let path = folder.appending(path: name).path()
            try FileManager.default.createDirectory(
                at: folder.appending(path: "widgets.d"),
                withIntermediateDirectories: true
            )
            try? FileManager.default.removeItem(atPath: path)
            switch type {
            case "pipe": #expect(mkfifo(path, 0o600) == 0)
            case "folder": try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            default: try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/dev/zero")
            }
            let problem = type == "folder" ? "Is a directory" : "it is not a regular file"
            #expect(load().errors.contains { $0.hasPrefix("\(path): cannot be read: \(problem)") })
            try FileManager.default.removeItem(atPath: path)
        }
        try FileManager.default.removeItem(at: folder)
    }

    @Test func aFolderOfWidgetsThatIsNoFolderIsAnError() throws {
        try write("", to: "widgets.d")
        #expect(load().errors.contains { $0.contains("widgets.d: cannot be read: Not a directory") })
        try FileManager.default.removeItem(at: folder)
    }

    @Test(arguments: [
        "", "widgets:\n", "# only a comment\n", "widgets:\n  other: {kind: feed, source: push}\n",
        "widgets:\n  news: {kind: feed, source: push}\n  other: {kind: feed, source: push}\n",
    ])
    func anEntryThatDoesNotDefineItsWidgetAloneIsNotWritten(text: String) throws {
        let new = WidgetFile(id: try #require(WidgetID(rawValue: "news")), beside: file)
        let error = #expect(throws: WidgetFile.Failure.self) { try new.write(text, checkedWith: file) }
        #expect("\(error.debugDescription)".contains("must define the widget 'news' and no other one"))
        #expect(!new.exists)
        try FileManager.default.removeItem(at: folder)
    }

    @Test func anEntryThatReachesPrivateNetworksIsNotWritten() throws {
        let new = WidgetFile(id: try #require(WidgetID(rawValue: "news")), beside: file)
        func entry(_ isAllowed: Bool, _ address: String) -> String {
            "widgets:\n  news: {kind: feed, source: {url: \"\(address)\", allowPrivateNetworks: \(isAllowed)}}\n"
        }
        for address in ["http://192.168.0.1/", "https://example.org/"] {
            let error = #expect(throws: WidgetFile.Failure.self) {
                try new.write(entry(true, address), checkedWith: file)
            }
            #expect("\(error.debugDescription)".contains("allowPrivateNetworks cannot be used here"))
        }
        try new.write(entry(false, "https://example.org/"), checkedWith: file)
        #expect(new.exists)
        try FileManager.default.removeItem(at: folder)
    }

    @Test func anEntryThatReadsAFileIsNotWritten() throws {
        try write("fetching: {fileDirectory: .}\nwidgets:\n  first: {kind: feed, source: push}\n", to: "tidings.yml")
        let new = WidgetFile(id: try #require(WidgetID(rawValue: "news")), beside: file)
        let error = #expect(throws: WidgetFile.Failure.self) {
            try new.write("widgets:\n  news: {kind: feed, source: {file: tidings.yml}}\n", checkedWith: file)
        }
        #expect("\(error.debugDescription)".contains("source: {file: …} cannot be used here"))
        #expect(!new.exists)
        try FileManager.default.removeItem(at: folder)
    }

    @Test func rowsAreWrittenWithTheirPointers() throws {
        let id = try #require(WidgetID(rawValue: "on"))
        let options = ["list": "/data/builds", "title": "/branch", "link": "/url"]
        let entry = WidgetEntryText(
            id: id,
            parsing: Parsing(kind: .json, options: options),
            url: "https://example.org/"
        )
        let configuration = try TidingsConfiguration.parse("widgets:\n" + entry.text)
        #expect(configuration.widgets.first?.id == id)
        #expect(configuration.widgets.first?.parsing.options == options)
    }
}
