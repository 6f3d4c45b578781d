// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import Foundation
import MessageBus
import ServiceRuntime
import WidgetSchema

/// The loop of `tidings subscribe --since`: it passes messages and answers from a session to an `UpdateFollower`.
struct UpdateFollowing {
    private let session: BusSession
    private let start: SubscribeCommand.Start
    private let filter: UpdateFilter
    /// A closure that shows an event, and returns false to stop the loop.
    private let show: (StreamedUpdate) throws -> Bool
    private var follower: UpdateFollower
    /// A Boolean value that indicates whether the last request failed; only the first of several failures is reported.
    private var hasFailed = false
    /// A Boolean value that indicates whether the notifier has answered; if it never has, the command fails at once.
    private var hasAnswer = false

    /// Connects to the bus, and waits until the subscriptions are active.
    init(
        _ start: SubscribeCommand.Start,
        filter: UpdateFilter,
        at address: BusAddresses,
        show: @escaping (StreamedUpdate) throws -> Bool
    ) throws {
        self.start = start
        self.filter = filter
        self.show = show
        switch start {
        case .sequence(let since):
            session = try BusSession(address, subscriptions: filter.subscriptions)
            follower = UpdateFollower(from: .sequence(since, follows: filter.mayWant), coversNewData: false)
        case .position(let position):
            // Gaps are detectable only in the complete stream.
            let subscriptions = [Topic.Prefix.update, Topic.heads(of: .notifier).text]
            session = try BusSession(address, subscriptions: subscriptions)
            follower = UpdateFollower(from: .position(position), coversNewData: false)
        }
        Terminal.onOutputClosed(session.end)
    }

    /// Runs until `show` returns false or the session ends.
    mutating func run() throws {
        defer { session.close() }
        guard try take(.subscribed) else { return }
        while true {
            // Messages wait while a request is answered; if a replay also contains them, they are dropped as duplicates.
            while let request = follower.nextRequest(at: .now) {
                guard try take(answer(request)) else { return }
            }
            let deadline = follower.nextDeadline.map {
                ContinuousClock.now + .milliseconds(max(0, $0.milliseconds(since: .now)))
            }
            switch session.next(until: deadline) {
            case .message(let message):
                if let input = Self.input(message), try !take(input) { return }
            case .resubscribed:
                guard try take(.resubscribed) else { return }
            case .ended: return
            case nil: continue
            }
        }
    }

    private static func input(_ message: BusMessage) -> UpdateFollower.Input? {
        guard let json = message.frames.first else { return nil }
        guard message.topic == Topic.heads(of: .notifier) else {
            return (try? WireJSON.decode(Event<Update>.self, from: json)).map { .update($0, json: json) }
        }
        return (try? WireJSON.decode(Event<NotifierHeads>.self, from: json)).map { .heads($0.data) }
    }

    /// Sends a request to the notifier, and waits for the answer.
    private mutating func answer(_ request: UpdateFollower.Request) throws -> UpdateFollower.Input {
        let target = RequestTarget(.notifier)
        do throws(CommandFailure) {
            let page =
                switch request.body {
                case .snapshot(let after): try session.ask(target, SnapshotRequest<Update>(after: after))
                case .updates(let since): try session.ask(target, UpdatesRequest(since: since))
                case .cycles(let from): try session.ask(target, ReplayRequest<Update>(from: from))
                }
            (hasFailed, hasAnswer) = (false, true)
            return .answer(request, page)
        } catch {
            guard isRetried(request, after: error) else { throw error }
            if !hasFailed { Program.note("the missing updates cannot be requested now: \(error); trying again …") }
            hasFailed = true
            return .failed(request, isUnknown: false)
        }
    }

    /// Returns whether a failed request is repeated after an interval, because the notifier or the bus is restarting.
    private func isRetried(_ request: UpdateFollower.Request, after error: CommandFailure) -> Bool {
        switch request.body {
        case .snapshot where !hasAnswer: false
        case .snapshot, .updates: error.code == .failed || error.status == .unreachable
        case .cycles: error.status == .no || error.status == .unreachable
        }
    }

    private mutating func take(_ input: UpdateFollower.Input) throws -> Bool {
        for output in follower.handle(input, now: .now) {
            switch output {
            case .begin(_, let states):
                guard case .sequence = start else {
                    throw CommandFailure(
                        .no,
                        "the notifier's store was replaced, so this position no longer exists; "
                            + "use --since SEQUENCE, or omit --since"
                    )
                }
                Program.note("the notifier's store was replaced; states may be older than the ones shown before")
                for state in states where try !shows(state) { return false }
            case .publish(let update): if try !shows(update) { return false }
            case .show, .caughtUp, .note: break
            }
        }
        return true
    }

    /// Shows an update if it is wanted; returns false to stop the loop.
    private func shows(_ update: StreamedUpdate) throws -> Bool {
        try !filter.wants(update.event, of: update.widget) || show(update)
    }
}
