// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import Configuration
internal import Cryptography
internal import Foundation

/// The JSON file with the hashes of all tokens.
package struct TokenFile: Codable, Sendable, Equatable {
    /// The maximum number of tokens in a file.
    package static let maximumTokens = 10_000
    /// The maximum size of the file.
    package static let maximumBytes = 16 << 20
    /// The default name of the file.
    package static let defaultName = "gateway-tokens.json"

    package var tokens: [TokenRecord]

    package init(tokens: [TokenRecord] = []) { self.tokens = tokens }

    /// The reason why a token file cannot be read or written.
    package struct Failure: Error, Sendable, CustomStringConvertible {
        package let description: String
    }

    /// Reads a token file; if the file does not exist, the result contains no tokens.
    package static func load(_ path: String) throws(Failure) -> TokenFile {
        do {
            // One byte more than allowed, to detect a file that is too large.
            let bytes = try FileReader.read(path, maximum: maximumBytes + 1)
            guard bytes.count <= maximumBytes else {
                throw Failure(
                    description: "\(path): the tokens cannot be read: the file has more than \(maximumBytes) bytes"
                )
            }
            return try JSONDecoder().decode(TokenFile.self, from: Data(bytes))
        } catch FileProblem.system(SystemCallError(ENOENT)) {
            return TokenFile()
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Failure(description: "\(path): the tokens cannot be read: \(error)")
        }
    }

    /// Writes the tokens to the file at `path`, and creates its folder if needed.
    ///
    /// The previous content of the file is replaced in one step. Only the owner of the file may read and change it; a file
    /// that root writes belongs to the owner of its folder, so that the gateway can read it. Throws if there are more than ``maximumTokens`` tokens, or if the file cannot be written.
    package func save(_ path: String) throws(Failure) {
        guard tokens.count <= Self.maximumTokens else {
            throw Failure(
                description: "the file already contains \(Self.maximumTokens) tokens, the maximum; revoke one first"
            )
        }
        do {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            let folder = URL(filePath: path).deletingLastPathComponent()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let draft = try FileDraft(for: path)
            FilePath.giveToOwner(ofFolder: folder.path(percentEncoded: false), draft.descriptor)
            try draft.write((try encoder.encode(self) + Data("\n".utf8)).bytes)
            try draft.replace()
        } catch let error as SystemCallError {
            throw Failure(description: "\(path): the tokens cannot be written: \(error)")
        } catch {
            throw Failure(description: "\(path): the tokens cannot be written: \(error.localizedDescription)")
        }
    }

    /// Reads the file at `path`, passes its tokens to `body`, and writes the changed tokens.
    ///
    /// Waits while another process is changing the file, so that no change is lost: a revoked token must not return.
    /// Throws a `Failure` if the lock file cannot be opened or locked, and the errors of `load`, of `body` and of `save`.
    /// The file is then unchanged, unless the disk fails after the new content is in place.
    package static func change(_ path: String, _ body: (inout TokenFile) throws -> Void) throws {
        let folder = URL(filePath: path).deletingLastPathComponent()
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // The lock file is not removed: a process may already wait for its lock. The token file itself cannot be
        // locked, because `save` replaces it. A link is not followed: root would give its target to the folder's owner.
        let descriptor = open(path + lockSuffix, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0, flock(descriptor, LOCK_EX) == 0 else {
            let error = SystemCallError(errno)
            if descriptor >= 0 { close(descriptor) }
            throw Failure(description: "\(path + lockSuffix): the file cannot be locked: \(error)")
        }
        defer { close(descriptor) }
        FilePath.giveToOwner(ofFolder: folder.path(percentEncoded: false), descriptor)
        var file = try load(path)
        try body(&file)
        try file.save(path)
    }

    private static let lockSuffix = ".lock"

    /// Returns the record of a token; nil if the file does not contain the token.
    ///
    /// The search takes the same time for every token, so that its duration reveals nothing about the stored hashes.
    package func record(of token: AccessToken) -> TokenRecord? {
        let hash = token.hash
        var found: TokenRecord?
        for record in tokens where SHA256.areEqual(record.hash, hash) { found = record }
        return found
    }
}
