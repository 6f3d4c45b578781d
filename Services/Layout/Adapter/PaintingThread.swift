// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import LayoutEngine
import ServiceRuntime
import Synchronization
import WidgetSchema

/// Draws pictures one after the other on a thread of its own, so that cycles need not wait for them.
final class PaintingThread: Sendable {
    /// More pictures that wait are refused.
    static let maximumWaiting = 32

    /// What came of a job.
    struct Painted: Sendable {
        let reply: LayoutCore.ReplyID
        let result: Result<PaintJob.Answer, RequestError>
    }

    private struct State {
        var jobs: [PaintJob] = []
        var isStopped = false
    }

    private let state = Mutex(State())
    /// Signalled once for each job, and once for the end.
    private let signal = DispatchSemaphore(value: 0)

    /// `done` is called on this thread.
    init(_ done: @escaping @Sendable (Painted) -> Void) {
        ServiceThread.start(named: "painting") { [self] in run(done) }
    }

    /// False where too many wait already.
    func paint(_ job: PaintJob) -> Bool {
        let isTaken = state.withLock { state in
            guard state.jobs.count < Self.maximumWaiting, !state.isStopped else { return false }
            state.jobs.append(job)
            return true
        }
        if isTaken { signal.signal() }
        return isTaken
    }

    /// Ends the thread after the picture at hand; those that wait are forgotten.
    func stop() {
        state.withLock { state in
            state.isStopped = true
            state.jobs = []
        }
        signal.signal()
    }

    private func run(_ done: (Painted) -> Void) {
        // Made with the first job: fonts take time and memory, and many a service is never asked for a picture.
        var painter: CairoPainter?
        while true {
            signal.wait()
            let next: PaintJob? = state.withLock { state in
                state.jobs.isEmpty ? nil : state.jobs.removeFirst()
            }
            guard let job = next else {
                if state.withLock({ $0.isStopped }) { return }
                continue
            }
            guard Instant.now <= job.deadline else {
                let error = RequestError(.timedOut, "the deadline passed before the picture was drawn; ask again")
                done(Painted(reply: job.reply, result: .failure(error)))
                continue
            }
            let current = painter ?? CairoPainter()
            painter = current
            do throws(RequestError) {
                done(Painted(reply: job.reply, result: .success(try job.run(with: current))))
            } catch {
                done(Painted(reply: job.reply, result: .failure(error)))
            }
        }
    }
}
