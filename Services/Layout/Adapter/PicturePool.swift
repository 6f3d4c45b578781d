// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import LayoutEngine
import ServiceRuntime
import WidgetSchema

/// A thread that paints pictures one after another, so that cycles do not wait for pictures.
final class PicturePool: Sendable {
    /// The maximum number of waiting pictures; further ones are rejected.
    ///
    /// The picture that is being painted is not counted.
    static let maximumWaiting = 32

    /// The result of a ``PaintJob``, and the id of the request that this result answers.
    struct Painted: Sendable {
        let reply: RequesterID
        let result: Result<PaintJob.Answer, RequestError>
    }

    private let pool: WorkerPool<PaintJob.Tools>
    private let done: @Sendable (Painted) -> Void

    /// Creates a pool.
    ///
    /// `done` is called after each job, on the pool's thread.
    init(_ done: @escaping @Sendable (Painted) -> Void) {
        self.done = done
        // The painter is created for the first picture: its fonts take time and memory, and many services draw no
        // picture.
        let options = WorkerPool<PaintJob.Tools>.Options(
            threads: 1,
            maximumWaiting: Self.maximumWaiting,
            createsToolsAtStart: false
        )
        pool = WorkerPool(named: "painting", options) { PaintJob.Tools() }
    }

    /// Submits a job; returns false if `maximumWaiting` pictures are already waiting, or after `stop`.
    func paint(_ job: PaintJob) -> Bool {
        pool.submit { [done] tools in done(Painted(reply: job.reply, result: Self.result(of: job, tools))) }
    }

    /// Ends the thread after the current picture, and drops the pictures that are waiting.
    func stop() { pool.stop() }

    private static func result(of job: PaintJob, _ tools: PaintJob.Tools) -> Result<PaintJob.Answer, RequestError> {
        guard Instant.now <= job.deadline else {
            return .failure(
                RequestError(.timedOut, "The deadline passed before the picture was drawn; ask again.")
            )
        }
        return Result { () throws(RequestError) in try job.run(with: tools) }
    }
}
