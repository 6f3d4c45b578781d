// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Glibc
import MessageBus

/// A pool of threads that start jobs in the order of their submission; each thread passes its own tool to its jobs.
///
/// A tool is an object that jobs need for their work, such as an object of Pango. Each tool is created and used on one
/// thread only, so it need not be `Sendable`. The pool may be used from any thread.
public final class WorkerPool<Tool>: Sendable {
    public typealias Job = @Sendable (Tool) -> Void

    /// The settings of a pool.
    public struct Options: Sendable {
        /// The number of threads, at least one.
        public var threads: Int
        /// The maximum number of waiting jobs; `submit` rejects further ones.
        public var maximumWaiting: Int
        /// The `nice` value of the threads; a higher value means a lower priority.
        public var niceness: Int32
        /// A Boolean value that indicates whether each thread creates its tool when the thread starts; if false, the
        /// tool is created before the first job of the thread.
        public var createsToolsAtStart: Bool

        public init(
            threads: Int,
            maximumWaiting: Int = .max,
            niceness: Int32 = 0,
            createsToolsAtStart: Bool = true
        ) {
            self.threads = threads
            self.maximumWaiting = maximumWaiting
            self.niceness = niceness
            self.createsToolsAtStart = createsToolsAtStart
        }
    }

    private let jobs: Inbox<Job>

    public init(named name: String, _ options: Options, createTool: @escaping @Sendable () -> Tool) {
        jobs = Inbox(maximumCount: options.maximumWaiting, maximumBytes: .max)
        for number in 0..<max(options.threads, 1) {
            ServiceThread.start(named: "\(name)-\(number)") { [jobs] in Self.work(jobs, options, createTool) }
        }
    }

    /// Submits a job; returns false if too many jobs are waiting, or after `stop`.
    @discardableResult
    public func submit(_ job: @escaping Job) -> Bool { jobs.offer(job, bytes: 0) }

    /// Ends the threads after their current jobs, and drops the waiting jobs.
    public func stop() { jobs.finish(dropsElements: true) }

    private static func work(_ jobs: Inbox<Job>, _ options: Options, _ createTool: () -> Tool) {
        // On Linux, this call affects only the calling thread. If it fails, the thread keeps the default priority.
        if options.niceness != 0 { _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, options.niceness) }
        var tool = options.createsToolsAtStart ? createTool() : nil
        while let job = jobs.nextBatch(maximum: 1, until: nil).first {
            let current = tool ?? createTool()
            tool = current
            job(current)
        }
    }
}
