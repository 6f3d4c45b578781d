// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Locking
import WidgetSchema

/// The sender of a destination of the kind `mqtt`.
final class MQTTSender: DestinationSender {
    struct Options: Sendable {
        var connection: MQTTConfiguration
        var session: MQTTSession
        /// The display whose picture is published; nil for the first one that a widget has.
        var display: DisplayName?
        var hooks: Hooks
    }

    /// The calls into the service; each may come on any thread and must not block.
    struct Hooks: Sendable {
        var command: @Sendable (WidgetID, Command) -> Void
        /// Receives what the broker has kept of each subject, after each connection.
        ///
        /// The service sends the latest state of each subject for which that is not the last one delivered.
        var kept: @Sendable ([DeliverySubject: KeptState?]) -> Void
        /// Receives nil when the broker has accepted the connection, or the reason why there is none.
        var connection: @Sendable (String?) -> Void
    }

    /// The number of attempts that fail if a picture cannot be drawn; the next one is published without it.
    private static let attemptsForPicture = 3

    private struct State {
        var session: MQTTSession
        var link: MQTTLink?
        /// The reason why the last connection ended; nil while the first one is being opened.
        var failure: String?
        /// The attempts that wait for the connection that is being opened.
        var waiting: [(attempt: DeliveryAttempt?, result: OneShot)] = []
        var isStopped = false
    }

    private let options: Options
    private let pictures: any PictureProvider
    private let state: Lock<State>

    init(_ options: Options, named name: String, pictures: any PictureProvider) {
        self.options = options
        self.pictures = pictures
        state = Lock(State(session: options.session))
        // The thread of the link waits for the lock before its first event.
        state.withLock { state in
            state.link = MQTTLink(options.connection, named: name) { [weak self] in self?.handle($0) }
            if state.link == nil { state.failure = "The process has no file descriptors left" }
        }
    }

    func send(_ attempt: DeliveryAttempt, completion: @escaping Completion) {
        begin(attempt, OneShot(timeout: attempt.timeout, completion))
    }

    func check(timeout: Duration, completion: @escaping Completion) {
        begin(nil, OneShot(timeout: timeout, completion))
    }

    func stop() {
        let (link, waiting) = state.withLock { state in
            state.isStopped = true
            defer { state.waiting = [] }
            return (state.link, state.waiting.map(\.result))
        }
        link?.stop()
        for result in waiting { result.finish(.unknown(reason: "The sender was stopped.")) }
    }

    /// Begins an attempt, or a check if `attempt` is nil.
    private func begin(_ attempt: DeliveryAttempt?, _ result: OneShot) {
        enum Next {
            case publish
            case wait
            case fail(String)
        }
        let next = state.withLock { state -> Next in
            if state.isStopped { return .fail("The sender was stopped.") }
            if state.session.isReady { return .publish }
            if let failure = state.failure { return .fail(failure + ".") }
            state.waiting.append((attempt, result))
            return .wait
        }
        switch next {
        case .wait: break
        case .fail(let reason): result.finish(.retry(after: nil, reason: reason, isServerFailure: true))
        case .publish: publish(attempt, result)
        }
    }

    private func publish(_ attempt: DeliveryAttempt?, _ result: OneShot) {
        guard let attempt else { return result.finish(.delivered) }
        guard options.session.devices[attempt.subject] != nil else {
            // A test must not remove anything.
            if attempt.isTest { return result.finish(.rejected(reason: "The destination does not have this widget.")) }
            return remove(attempt.subject, result)
        }
        let delivery: MQTTDelivery
        do {
            delivery = try MQTTDelivery(attempt, display: options.display, topics: options.session.topics)
        } catch {
            return result.finish(.rejected(reason: "The event cannot be read: \(error)."))
        }
        let kept = state.withLock { $0.session.picture(of: attempt.subject) }
        guard let digest = delivery.digest, digest != kept, let display = delivery.display,
            let sequence = delivery.state.sequence, case .widget(let widget) = attempt.subject,
            options.session.devices[attempt.subject]?.hasPicture == true
        else { return publish(delivery, picture: nil, kept: kept, result) }
        let request = PictureRequest(widget: widget, display: display, sequence: sequence, digest: digest)
        pictures.picture(of: request) { [weak self] picture in
            guard let self else { return result.finish(.unknown(reason: "The sender was stopped.")) }
            guard picture != nil || attempt.number > Self.attemptsForPicture else {
                return result.finish(.retry(after: nil, reason: "The picture cannot be drawn now."))
            }
            publish(delivery, picture: picture, kept: kept, result)
        }
    }

    private func publish(_ delivery: MQTTDelivery, picture: Data?, kept: String?, _ result: OneShot) {
        let messages: [MQTTMessage]
        do {
            messages = try delivery.messages(options.session.topics, picture: picture, kept: kept)
        } catch {
            return result.finish(.rejected(reason: "The state cannot be written: \(error)."))
        }
        guard result.isPending, let link = state.withLock(\.link) else {
            return result.finish(.noConnection)
        }
        link.publish(messages) { [weak self] publication in
            if publication == .acknowledged, picture != nil || delivery.address != nil, let digest = delivery.digest {
                self?.state.withLock { $0.session.published(delivery.subject, picture: digest) }
            }
            result.finish(publication.outcome)
        }
    }

    /// Removes what the broker has kept of a widget that is no longer configured.
    private func remove(_ subject: DeliverySubject, _ result: OneShot) {
        guard let link = state.withLock(\.link) else {
            return result.finish(.noConnection)
        }
        let session = options.session
        link.publish(session.topics.removal(of: subject, usesDiscovery: session.usesDiscovery)) { publication in
            result.finish(publication.outcome)
        }
    }

    // MARK: Events of the connection

    private func handle(_ event: MQTTLink.Event) {
        switch event {
        case .connected: options.hooks.connection(nil)
        case .disconnected(let reason): options.hooks.connection(reason)
        case .overdue, .received: break
        }
        let (actions, failed) = state.withLock { state -> ([MQTTSession.Action], [OneShot]) in
            if case .disconnected(let reason) = event {
                state.session.disconnected()
                state.failure = reason
                defer { state.waiting = [] }
                return ([], state.waiting.map(\.result))
            }
            // Only the text of a discovery message could fail, and it is made of names of the configuration.
            return ((try? Self.actions(event, &state)) ?? [], [])
        }
        for result in failed { result.finish(.noConnection) }
        for action in actions { perform(action) }
    }

    private static func actions(_ event: MQTTLink.Event, _ state: inout State) throws -> [MQTTSession.Action] {
        switch event {
        case .connected: try state.session.connected(nonce: UUID().uuidString)
        case .overdue: state.session.overdue()
        case .received(let message): try state.session.received(message)
        case .disconnected: []
        }
    }

    private func perform(_ action: MQTTSession.Action) {
        switch action {
        case .publish(let messages):
            // A failure ends the connection, and the next one announces everything again.
            state.withLock(\.link)?.publish(messages) { _ in }
        case .command(let widget, let command): options.hooks.command(widget, command)
        case .report(let kept): options.hooks.kept(kept)
        case .ready:
            let waiting = state.withLock { state in
                state.failure = nil
                defer { state.waiting = [] }
                return state.waiting
            }
            for (attempt, result) in waiting { publish(attempt, result) }
        }
    }
}

extension DeliveryOutcome {
    /// The outcome of an attempt without a connection to the broker.
    fileprivate static let noConnection = DeliveryOutcome.retry(
        after: nil,
        reason: "There is no connection to the broker.",
        isServerFailure: true
    )
}

extension MQTTLink.Publication {
    /// The outcome of an attempt with this result.
    fileprivate var outcome: DeliveryOutcome {
        switch self {
        case .acknowledged: .delivered
        case .notSent(let reason): .retry(after: nil, reason: reason + ".", isServerFailure: true)
        case .unknown(let reason): .unknown(reason: reason + ".")
        }
    }
}
