// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import TestSupport
import Testing

@testable import Configuration

@Suite struct FileDraftTests {
    private let folder: TemporaryFolder
    private var target: String { folder.path + "/tokens.json" }

    init() throws { folder = try TemporaryFolder() }

    private func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder.path) }

    private func replace(_ text: String) throws {
        let draft = try FileDraft(for: target)
        try draft.write(Data(text.utf8).bytes)
        try draft.replace()
    }

    @Test func aDraftReplacesTheFileAndLeavesNothingElse() throws {
        for text in ["old", "new"] { try replace(text) }
        #expect(try String(contentsOfFile: target, encoding: .utf8) == "new")
        #expect(try names() == ["tokens.json"])
        let mode = try FileManager.default.attributesOfItem(atPath: target)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test func theFileKeepsItsContentUntilTheDraftTakesItsPlace() throws {
        try replace("old")
        do {
            let draft = try FileDraft(for: target)
            try draft.write(Data("half".utf8).bytes)
            #expect(try String(contentsOfFile: target, encoding: .utf8) == "old")
        }
        #expect(try String(contentsOfFile: target, encoding: .utf8) == "old")
        #expect(try names() == ["tokens.json"])
    }

    @Test func aDraftThatMustNotReplaceAFileSaysSo() throws {
        try replace("old")
        #expect(throws: SystemCallError(EEXIST)) { try FileDraft(for: target).create() }
        #expect(try String(contentsOfFile: target, encoding: .utf8) == "old")
        #expect(try names() == ["tokens.json"])
    }

    @Test func aDraftCreatesAFileInAnEmptyPlace() throws {
        let draft = try FileDraft(for: target)
        try draft.write(Data("new".utf8).bytes)
        try draft.create()
        #expect(try String(contentsOfFile: target, encoding: .utf8) == "new")
        #expect(try names() == ["tokens.json"])
    }

    @Test func aFullDiskIsAnErrorWithItsReason() throws {
        let descriptor = open("/dev/full", O_WRONLY | O_CLOEXEC)
        defer { close(descriptor) }
        #expect(throws: SystemCallError(ENOSPC)) { try FileWriter.write(Data("text".utf8).bytes, to: descriptor) }
    }
}
