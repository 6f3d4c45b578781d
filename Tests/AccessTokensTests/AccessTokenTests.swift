// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Testing

@testable import AccessTokens

@Suite struct AccessTokenTests {
    @Test func aTokenIsReadBackAndNoTwoAreAlike() {
        let tokens = (0..<100).map { _ in AccessToken() }
        #expect(Set(tokens.map(\.text)).count == 100)
        for token in tokens {
            #expect(token.text.count == 40)
            #expect(AccessToken(token.text) == token)
        }
    }

    @Test func aTokenWithOneWrongLetterIsNotOne() {
        let text = AccessToken().text
        for index in text.indices {
            let other: Character = text[index] == "a" ? "b" : "a"
            #expect(AccessToken(text.replacingCharacters(in: index...index, with: String(other))) == nil)
        }
        #expect(AccessToken(String(text.dropLast())) == nil)
        #expect(AccessToken(text + "a") == nil)
        #expect(AccessToken("") == nil)
    }

    @Test func theChecksumIsTheCommonCRC32() {
        #expect(AccessToken.crc32("123456789".utf8) == 0xCBF4_3926)
    }

    @Test func aTokenAllowsItsScopesAndReading() {
        let record = TokenRecord(token: AccessToken(), name: "app", scopes: [.act], created: "")
        #expect(record.allows(.act, path: "/v1/widgets/blog/performUpdate"))
        #expect(record.allows(.read, path: "/v1/widgets"))
        #expect(!record.allows(.push, path: "/v1/widgets/blog/content"))
        #expect(!record.allows(.admin, path: "/metrics"))
    }

    @Test(arguments: [
        ("/widgets/blog/phone.png", true), ("/widgets/blog/phone.json", true), ("/widgets/blog/phone", true),
        ("/widgets/blog/phone-large.png", false), ("/widgets/blog", false), ("/v1/widgets", false),
        ("/widgets/blog/phone/x.png", true), ("/widgets/blog/phone.png/x", false),
    ])
    func aTokenForAPathReadsNothingElse(path: String, isAllowed: Bool) {
        let record = TokenRecord(
            token: AccessToken(),
            name: "panel",
            scopes: [.read],
            paths: ["/widgets/blog/phone"],
            created: ""
        )
        #expect(record.allows(.read, path: path) == isAllowed)
        #expect(!record.allows(.act, path: path))
    }

    @Test(arguments: [
        ([AccessScope.admin, .act, .push], nil, [AccessScope.read]), ([.read], nil, [.read]), ([], nil, []),
        ([.read], ["/widgets"], [.read]), ([.act], ["/widgets"], []),
    ])
    func aReadOnlyTokenAllowsNoMoreThanReading(scopes: [AccessScope], paths: [String]?, left: [AccessScope]) {
        let record = TokenRecord(token: AccessToken(), name: "app", scopes: scopes, paths: paths, created: "")
        #expect(record.readOnly.scopes == left)
        for path in ["/widgets/blog", "/v1/widgets"] {
            #expect(record.readOnly.allows(.read, path: path) == record.allows(.read, path: path))
            for scope in [AccessScope.act, .push, .admin] { #expect(!record.readOnly.allows(scope, path: path)) }
        }
    }

    @Test func aSignatureIsThatOfOneTextAndOneToken() {
        let one = TokenRecord(token: AccessToken(), name: "app", scopes: [.read], created: "")
        let two = TokenRecord(token: AccessToken(), name: "app", scopes: [.read], created: "")
        #expect(one.signature(of: "text").count == 64)
        #expect(one.signature(of: "text") == one.signature(of: "text"))
        #expect(one.signature(of: "text") != one.signature(of: "tex"))
        #expect(one.signature(of: "text") != two.signature(of: "text"))
    }

    @Test func aFileInAFolderWithASpaceIsChanged() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "my tokens-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "tokens.json").path(percentEncoded: false)
        let record = TokenRecord(token: AccessToken(), name: "app", scopes: [.read], created: "")
        try TokenFile.change(path) { $0.tokens.append(record) }
        #expect(try TokenFile.load(path).tokens == [record])
        #expect(throws: CancellationError.self) { try TokenFile.change(path) { _ in throw CancellationError() } }
        #expect(try TokenFile.load(path).tokens == [record])
    }

    // Otherwise a gateway that runs as another user could not read a token that root has made.
    @Test(.enabled(if: geteuid() == 0)) func aFileThatRootWritesBelongsToTheOwnerOfItsFolder() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tokens-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(chown(folder.path, 4_711, 4_712) == 0)
        try TokenFile.change(folder.appending(path: "tokens.json").path) { $0.tokens = [] }
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            let owner = try FileManager.default.attributesOfItem(atPath: folder.appending(path: name).path)
            #expect(owner[.ownerAccountID] as? Int == 4_711, "\(name)")
            #expect(owner[.groupOwnerAccountID] as? Int == 4_712, "\(name)")
        }
    }

    @Test func changesAtTheSameTimeAreAllKept() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tokens-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "tokens.json").path(percentEncoded: false)
        let count = 50
        DispatchQueue.concurrentPerform(iterations: count) { number in
            let record = TokenRecord(token: AccessToken(), name: "\(number)", scopes: [.read], created: "")
            try? TokenFile.change(path) { $0.tokens.append(record) }
        }
        #expect(Set(try TokenFile.load(path).tokens.map(\.name)) == Set((0..<count).map(String.init)))
    }

    @Test func aFileThatCannotBeWrittenSaysWhy() throws {
        let folder = FileManager.default.temporaryDirectory.path
        let path = "\(folder)/\(String(repeating: "long", count: 100))"
        let error = #expect(throws: TokenFile.Failure.self) { try TokenFile().save(path) }
        #expect(error?.description == "\(path): the tokens cannot be written: File name too long")
    }

    @Test func noOtherTokenIsFoundInTheFile() {
        let record = TokenRecord(token: AccessToken(), name: "app", scopes: [.admin], created: "")
        let file = TokenFile(tokens: [record])
        let found = (0..<5_000).count { _ in file.record(of: AccessToken()) != nil }
        #expect(found == 0)
    }

    @Test func theFileHoldsNoSecretAndFindsATokenByItsHash() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tokens-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "tokens.json").path()
        #expect(try TokenFile.load(path) == TokenFile())
        let token = AccessToken()
        let record = TokenRecord(token: token, name: "app", scopes: [.read, .push], created: "2026-11-22T00:00:00Z")
        try TokenFile(tokens: [record]).save(path)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(!text.contains(token.text))
        let loaded = try TokenFile.load(path)
        #expect(loaded.record(of: token) == record)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        for content in [Data("{".utf8), Data(repeating: UInt8(ascii: " "), count: TokenFile.maximumBytes + 1)] {
            try content.write(to: URL(filePath: path))
            #expect(throws: TokenFile.Failure.self) { try TokenFile.load(path) }
        }
    }
}
