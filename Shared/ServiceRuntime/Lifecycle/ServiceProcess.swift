// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CommandOptions
import Configuration
public import Foundation
import Locking
import ServiceEngine
public import Telemetry

/// The lifecycle of a process that runs until it is stopped.
///
/// SIGTERM and SIGINT stop the process gracefully. If the environment variable `TIDINGS_STOP_WITH_INPUT` is 1, the end
/// of standard input does so, too. A second signal ends the process immediately. SIGHUP reloads the configuration of
/// services that support it. SIGPIPE is ignored.
///
/// The main thread blocks SIGTERM, SIGINT and SIGHUP before another thread exists, so all threads inherit the block.
/// One thread receives these signals with `sigwait`. No signal is lost, even in process 1 of a container. The main
/// thread must never enter `dispatchMain`, which unblocks all signals; therefore `main` is not `async`.
public enum ServiceProcess {
    /// The default maximum time between the request to stop and the exit of the process.
    ///
    /// After this time, the process is ended without waiting for its work.
    public static let stopTimeout: Duration = .seconds(2)

    private struct State {
        var result: Result<Void, any Error>?
        var deadline: ContinuousClock.Instant?
    }

    /// The state of the process, with a semaphore that wakes the main thread after each change.
    private final class Progress: Sendable {
        let state = Lock(State())
        let changed = DispatchSemaphore(value: 0)

        func change(_ change: (inout State) -> Void) {
            state.withLock { change(&$0) }
            changed.signal()
        }
    }

    /// Blocks the signals that `run` handles, and ignores SIGPIPE.
    ///
    /// Must be called first in `main`. Signals that arrive before `run` stay pending. Services that this
    /// process starts inherit the block, see ``ChildProcess/Command/inheritsSignals``.
    public static func prepareSignals() {
        signal(SIGPIPE, SIG_IGN)
        // SIGHUP is ignored until it is blocked. From then on, Linux keeps it pending for `sigwait`, although it is
        // ignored.
        signal(SIGHUP, SIG_IGN)
        var signals = handledSignals()
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// Runs `body`, and exits the process with an `ExitStatus` when `body` ends.
    ///
    /// After `control.stop` is triggered, `body` must end soon. The process waits for it for at most the time span
    /// `control.deadline`, and then exits even if `body` is still running. The calling thread must be the main thread;
    /// it only waits.
    public static func run(
        _ control: ProcessControl,
        log: Logger,
        environment: [String: String] = ProcessInfo.processInfo.environment,
        _ body: @escaping @Sendable () async throws -> Void
    ) -> Never {
        let (stop, reload, deadline) = (control.stop, control.reload, control.deadline)
        prepareSignals()
        let progress = Progress()
        // Registered first, so that it runs first: the deadline applies even if a later action hangs.
        stop.onStop {
            log.info("Stopping.", stop.reason.map { [.reason: $0] } ?? [:])
            progress.change { $0.deadline = .now + deadline }
        }
        ServiceThread.start(named: "signals") { takeSignals(stop: stop, reload: reload, log: log) }
        if environment[EnvironmentVariable.stopWithInput.name] == "1" {
            ServiceThread.start(named: "input") {
                waitForEndOfInput()
                stop.stop(.inputEnded)
            }
        }
        Task.detached {
            do {
                try await body()
                progress.change { $0.result = .success(()) }
            } catch {
                progress.change { $0.result = .failure(error) }
            }
        }
        end(wait(for: progress), stop: stop, log: log, deadline: deadline)
    }

    private static func wait(for progress: Progress) -> Result<Void, any Error>? {
        while true {
            let (result, deadline) = progress.state.withLock { ($0.result, $0.deadline) }
            if let result { return result }
            guard let deadline else {
                progress.changed.wait()
                continue
            }
            let left = (deadline - .now) / .nanoseconds(1)
            guard left > 0 else { return nil }
            _ = progress.changed.wait(timeout: .now() + .nanoseconds(Int(left)))
        }
    }

    private static func end(
        _ result: Result<Void, any Error>?,
        stop: StopSignal,
        log: Logger,
        deadline: Duration
    ) -> Never {
        switch result {
        case .success:
            // If the body ends at once, the process may exit before "Stopping." is logged; "Stopped." is always logged.
            log.info("Stopped.", stop.reason.map { [.reason: $0] } ?? [:])
            exit(ExitStatus.done.rawValue)
        case .failure(let error) where error is UsageError || error is ConfigurationErrors:
            StandardStream.error.write("\(error)\n")
            exit(ExitStatus.wrongUse.rawValue)
        case .failure(let error):
            log.error("Failed.", error: error)
            let mayPass = (error as? any StoreProblem)?.mayPass ?? false
            exit((mayPass ? ExitStatus.store : .failed).rawValue)
        case nil:
            log.error("The process did not stop in time; ending it now.", [.seconds: deadline / .seconds(1)])
            // Other threads are still running. Unlike `exit`, `_exit` does not destroy objects that they use.
            _exit(ExitStatus.forced.rawValue)
        }
    }

    private static func handledSignals() -> sigset_t {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGTERM)
        sigaddset(&signals, SIGINT)
        sigaddset(&signals, SIGHUP)
        return signals
    }

    private static func takeSignals(stop: StopSignal, reload: ReloadSignal?, log: Logger) {
        var signals = handledSignals()
        var stopping = false
        while true {
            var number: Int32 = 0
            guard sigwait(&signals, &number) == 0 else { continue }
            if number == SIGHUP {
                reload?.reload()
                continue
            }
            if stopping {
                log.warning("Received a second signal; the process ends at once.", [.signal: number])
                _exit(ExitStatus.forced.rawValue)
            }
            stopping = true
            let reason: StopSignal.Reason = number == SIGINT ? .interrupted : .terminated
            // The actions run on another thread, because this one must stay ready for the second signal.
            ServiceThread.start(named: "stop") { stop.stop(reason) }
        }
    }

    /// Waits for the end of standard input, and discards all input before it.
    private static func waitForEndOfInput() {
        var bytes = [UInt8](repeating: 0, count: 512)
        while true {
            let count = read(STDIN_FILENO, &bytes, bytes.count)
            if count > 0 || (count < 0 && errno == EINTR) { continue }
            if count < 0 && errno == EAGAIN {
                var descriptor = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
                poll(&descriptor, 1, -1)
                continue
            }
            return
        }
    }
}
