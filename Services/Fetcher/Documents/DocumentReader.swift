// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Locking
import ServiceRuntime
import WidgetSchema

/// A thread that has a child process read documents, so that a document that ends the process ends no lease.
///
/// The child is this executable with the option ``ReaderProgram/option``. It starts with the first document, and after
/// one that has ended it with the next. May be used from any thread.
final class DocumentReader: Sendable {
    private struct State {
        var process: ReaderProcess?
        var isStopped = false
    }

    private let executable: String
    private let state = Lock(State())
    private let thread: WorkerPool<Void>

    init(named name: String, maximumWaiting: Int, executable: String = ReaderProcess.ownExecutable) {
        self.executable = executable
        thread = WorkerPool(
            named: name,
            WorkerPool<Void>.Options(threads: 1, maximumWaiting: maximumWaiting, niceness: 5)
        ) {}
    }

    /// Runs a job, which may call `answer`, on the reader's thread; returns false if too many jobs are waiting.
    func submit(_ job: @escaping @Sendable (DocumentReader) -> Void) -> Bool {
        thread.submit { [self] _ in job(self) }
    }

    /// Ends the child, also while it reads a document, and drops the waiting jobs.
    func stop() {
        thread.stop()
        state.withLock { state in
            state.isStopped = true
            state.process?.interrupt()
        }
    }

    /// Reads a document in the child, and returns the JSON of an `Answer`; nil if the document has ended the child.
    ///
    /// Blocks until the child has answered or ended; it ends itself after ``ReaderProgram/timeLimit``. Must be called
    /// on the reader's thread. Throws if the child cannot be started, or after `stop`.
    func answer(_ task: ReadingTask, _ document: Data) throws -> Data? {
        let header = try WireJSON.encode(task)
        let process = try startIfNeeded()
        do {
            try ReaderFrames.write([header, document], to: process.input)
            if let answer = try ReaderFrames.read(1, from: process.output)?.first { return answer }
        } catch {
            // The child has closed its standard input.
        }
        try state.withLock { state in
            state.process = nil
            process.end()
            if state.isStopped { throw CancellationError() }
        }
        return nil
    }

    private func startIfNeeded() throws -> ReaderProcess {
        try state.withLock { state in
            if let process = state.process {
                guard process.hasEnded else { return process }
                // Nothing that was sent to it is missing: it has answered its last document.
                state.process = nil
                process.end()
            }
            guard !state.isStopped else { throw CancellationError() }
            let process = try ReaderProcess(executable: executable)
            state.process = process
            return process
        }
    }
}
