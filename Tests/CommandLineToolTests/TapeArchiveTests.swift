// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import TestSupport
import Testing

@testable import CommandLineTool

/// Archives that are whole, and all the others.
@Suite(.timeLimit(.minutes(5))) struct TapeArchiveTests {
    /// The two files of a backup; one of them fills its last block.
    private static let files = [
        "cache.sqlite": Data((0..<512).map { UInt8(truncatingIfNeeded: $0 * 7) }),
        "notifier.sqlite": Data("small".utf8),
    ]
    private static let names = files.keys.sorted()

    /// Returns an archive of `files`.
    private static func archive(in folder: URL) throws -> Data {
        for (name, bytes) in files { try bytes.write(to: folder.appending(path: name)) }
        var archive = Data()
        try TapeArchive.write(names.map { ($0, folder.appending(path: $0).path) }) { archive.append(contentsOf: $0) }
        return archive
    }

    /// Extracts an archive into the folder, and returns the description of the error; nil if there is none.
    private static func refusal(of archive: Data, in folder: URL) -> String? {
        do {
            let path = folder.appending(path: "archive.tar")
            try archive.write(to: path)
            let input = try InputFile.open(path.path)
            defer { try? input.close() }
            let first = try TapeArchive.readFirstHeader(from: input)
            _ = try TapeArchive.extract(
                TapeArchive.Contents(required: names),
                after: first,
                from: input,
                into: folder.path
            )
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test func anArchiveIsReadAsItWasWrittenAndOtherProgramsCanCheckIt() async throws {
        try await withTemporaryFolder { folder in
            let archive = try Self.archive(in: folder)
            for name in Self.names { try FileManager.default.removeItem(at: folder.appending(path: name)) }
            #expect(Self.refusal(of: archive, in: folder) == nil)
            for (name, bytes) in Self.files { #expect(try Data(contentsOf: folder.appending(path: name)) == bytes) }
            let check = try await CommandRun.bash(
                "cd '\(folder.path)' && rm *.sqlite && tar -xf archive.tar && sha256sum --check SHA256SUMS"
            )
            #expect(check.output == "cache.sqlite: OK\nnotifier.sqlite: OK\n", "\(check.errors)")
            #expect(Self.refusal(of: archive + Data(count: 4096), in: folder) == nil, "a tape may be filled with zeros")
        }
    }

    @Test func eachChangedByteIsNoticed() async throws {
        try await withTemporaryFolder { folder in
            let archive = try Self.archive(in: folder)
            var random = SeededGenerator(seed: 42)
            for index in archive.indices {
                // Another case of a letter, and any other byte.
                for change in [0x20, UInt8.random(in: 1...255, using: &random)] {
                    var changed = archive
                    changed[index] ^= change
                    let isRefused = Self.refusal(of: changed, in: folder) != nil
                    #expect(isRefused, "byte \(index) as \(changed[index]) in place of \(archive[index])")
                }
            }
        }
    }

    @Test func aThousandArchivesWithTwentyChangedBytesAreRefused() async throws {
        try await withTemporaryFolder { folder in
            let archive = try Self.archive(in: folder)
            for seed in 0..<1000 as Range<UInt64> {
                var random = SeededGenerator(seed: seed)
                var changed = archive
                for index in archive.indices.shuffled(using: &random).prefix(20) {
                    changed[index] ^= UInt8.random(in: 1...255, using: &random)
                }
                let isRefused = Self.refusal(of: changed, in: folder) != nil
                #expect(isRefused, "seed \(seed)")
            }
        }
    }

    @Test func anArchiveThatEndsTooEarlyOrTooLateIsRefused() async throws {
        try await withTemporaryFolder { folder in
            let archive = try Self.archive(in: folder)
            for count in stride(from: 0, to: archive.count, by: 64) {
                #expect(Self.refusal(of: archive.prefix(count), in: folder) != nil, "\(count) bytes")
            }
            #expect(Self.refusal(of: archive + Data("more".utf8), in: folder)?.contains("after its end") == true)
        }
    }

    /// Archives that `tar` makes: a shell command beside both files, and a part of the refusal; nil if there is none.
    @Test(arguments: [
        ("tar -cf archive.tar *.sqlite SHA256SUMS", nil),
        ("tar -cf archive.tar SHA256SUMS *.sqlite", nil),
        ("tar -cf archive.tar *.sqlite", "'sha256sum cache.sqlite notifier.sqlite > SHA256SUMS'"),
        ("tar -cf archive.tar *.sqlite && tar --append --file=archive.tar SHA256SUMS", nil),
        ("tar -cf archive.tar cache.sqlite SHA256SUMS", "does not contain 'notifier.sqlite'"),
        ("tar -cf archive.tar notifier.sqlite SHA256SUMS", "does not contain 'cache.sqlite'"),
        ("tar -cf archive.tar SHA256SUMS", "does not contain 'cache.sqlite'"),
        ("touch readme; tar -cf archive.tar *.sqlite SHA256SUMS readme", "contains 'readme'"),
        ("tar -cf archive.tar ./*.sqlite SHA256SUMS", "contains './cache.sqlite'"),
        ("tar -cf archive.tar *.sqlite SHA256SUMS cache.sqlite --hard-dereference", "contains 'cache.sqlite' twice"),
        ("mkdir d; tar -cf archive.tar *.sqlite SHA256SUMS d", "'d/', which is not a regular file"),
        ("mv cache.sqlite c; ln -s c cache.sqlite; tar -cf archive.tar *.sqlite", "which is not a regular file"),
        ("sed -i 1p SHA256SUMS; tar -cf archive.tar *.sqlite SHA256SUMS", "one line for each of"),
        ("sed -i 1d SHA256SUMS; tar -cf archive.tar *.sqlite SHA256SUMS", "'cache.sqlite' is damaged"),
        (
            "head -c 2000000 /dev/zero > SHA256SUMS; tar -cf archive.tar *.sqlite SHA256SUMS",
            "'SHA256SUMS' is too large"
        ),
        ("tar -czf archive.tar *.sqlite SHA256SUMS", "not a tar archive"),
    ])
    func anotherProgramsArchiveMustContainBothFilesAndTheirDigests(command: String, refusal: String?) async throws {
        try await withTemporaryFolder { folder in
            _ = try Self.archive(in: folder)
            try await CommandRun.bash(
                "cd '\(folder.path)' && sha256sum *.sqlite > SHA256SUMS && { \(command); }"
            ).succeeded()
            let archive = try Data(contentsOf: folder.appending(path: "archive.tar"))
            let found = Self.refusal(of: archive, in: folder)
            if let refusal {
                #expect(found?.contains(refusal) == true, "\(found ?? "it is accepted")")
            } else {
                #expect(found == nil)
            }
        }
    }
}
