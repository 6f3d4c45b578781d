// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import HTTPTransport
import TestSupport
import Testing
import WidgetSchema

@testable import Fetcher

/// Tests of reading documents in a process of its own.
@Suite(.serialized, .timeLimit(.minutes(1))) struct DocumentReaderTests {
    private static let quote = Data(#"{"quotes": [{"text": "Hello"}]}"#.utf8)

    init() { signal(SIGPIPE, SIG_IGN) }

    private func withReader(
        _ executable: URL = SpawnedService.folder.appending(path: "fetcher"),
        _ body: (DocumentReader) async throws -> Void
    ) async throws {
        let reader = DocumentReader(named: "reader", maximumWaiting: 8, executable: executable.path)
        defer { reader.stop() }
        try await body(reader)
    }

    private func json(_ reader: DocumentReader, _ document: Data = quote) async throws -> Data? {
        let request = ReadRequest(contentType: "application/json", parsing: Parsing(kind: .quote))
        let task = ReadingTask(request, received: Instant(milliseconds: 0))
        return try await withCheckedThrowingContinuation { continuation in
            let isAccepted = reader.submit { reader in
                continuation.resume(with: Result { try reader.answer(task, document) })
            }
            if !isAccepted { continuation.resume(throwing: CancellationError()) }
        }
    }

    private func read(_ reader: DocumentReader, _ document: Data = quote) async throws -> ReadAnswer {
        let json = try #require(try await json(reader, document), "the document ended its reader")
        return try WireJSON.decode(Answer<ReadAnswer>.self, from: json).get()
    }

    private func child() throws -> Int32 {
        let children = try ChildProcesses.numbers(of: getpid(), argument: ReaderProgram.option)
        try #require(children.count == 1)
        return children[0]
    }

    @Test func aChildReadsDocumentsUntilOneEndsIt() async throws {
        try await withReader { reader in
            #expect(try await read(reader).content?.count == 1)
            let first = try child()
            #expect(try await read(reader, Data("nothing".utf8)).faults != nil)
            // More than the buffers of the pipe hold.
            let padding = String(repeating: "long ", count: 100_000)
            let long = Data("{\"quotes\": [{\"text\": \"Hello\"}], \"padding\": \"\(padding)\"}".utf8)
            #expect(try await read(reader, long).content?.count == 1)
            #expect(try child() == first)

            kill(first, SIGSTOP)
            async let ending = json(reader)
            try await ChildProcesses.waitForInput(of: first)
            kill(first, SIGKILL)
            let ended = try await ending
            #expect(ended == nil)
            #expect(try await read(reader).content?.count == 1)
            let second = try child()
            #expect(second != first)

            // The document that comes next did not end this one.
            kill(second, SIGKILL)
            var end = siginfo_t()
            #expect(waitid(P_PID, id_t(second), &end, WEXITED | WNOWAIT) == 0)
            #expect(try await read(reader).content?.count == 1)

            let last = try child()
            kill(last, SIGSTOP)
            let stopped = Task { try await json(reader) }
            try await ChildProcesses.waitForInput(of: last)
            reader.stop()
            await #expect(throws: CancellationError.self) { try await stopped.value }
            #expect(try ChildProcesses.numbers(of: getpid(), argument: ReaderProgram.option).isEmpty)
        }
    }

    @Test func aProgramThatDoesNotReadIsNoDocumentsFaultIfItDoesNotStart() async throws {
        try await withReader(URL(filePath: "/nowhere")) { reader in
            await #expect(throws: ReaderProcess.NotStarted.self) { try await json(reader) }
        }
        try await withReader(URL(filePath: "/bin/true")) { reader in
            let answer = try await json(reader)
            #expect(answer == nil)
        }
    }

    @Test func anAnswerIsLimitedAndSaysSo() throws {
        let quotes = (0..<366).map { "{\"text\": \"\($0) \(String(repeating: "😀", count: 900))\"}" }
        let document = Data("{\"quotes\": [\(quotes.joined(separator: ","))]}".utf8)
        let response = HTTPResponse(
            status: 200,
            headers: HTTPHeaders([HTTPHeader("Content-Type", "application/json")]),
            body: document,
            finalURL: "https://example.org/quotes"
        )
        let inspection = ReadingTask(inspecting: response, as: .quote, received: Instant(milliseconds: 0))
        let json = try inspection.answer(for: document)
        #expect(json.count <= MessageLimits.page)
        let problem = try WireJSON.decode(Answer<InspectAnswer>.self, from: json).get().problem
        #expect(problem?.message.contains("the content has more than") == true)

        let request = ReadRequest(contentType: "application/json", parsing: Parsing(kind: .quote))
        let pushed = try ReadingTask(request, received: Instant(milliseconds: 0)).answer(for: document)
        let faults = try WireJSON.decode(Answer<ReadAnswer>.self, from: pushed).get().faults
        #expect(faults?.contains("bytes as JSON; at most") == true)
    }
}
