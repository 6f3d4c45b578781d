// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import EventStreams
import Foundation
import MessageBus
import ServiceRuntime
import Storage
import Telemetry
import WidgetSchema

/// The adapter between the bus, the destinations and the core.
final class DeliveryAdapter: ServiceAdapter {
    typealias Core = DeliveryCore

    static let subscriptions = [Topic.Prefix.update, Topic.heads(of: .notifier).text]
    /// The timeout of a request to the notifier.
    private static let pageTimeout: Duration = .seconds(5)

    /// The input that makes the adapter load the configuration again.
    struct Reload: Sendable {}

    /// A call of a broker.
    private enum BrokerCall: Sendable {
        case command(WidgetID, Command)
        case kept(DestinationName, [DeliverySubject: KeptState?])
        case connection(DestinationName, problem: String?)
    }

    private struct Tested: Sendable {
        var number: UInt64
        var destination: DestinationName
        var answer: DeliverTestAnswer
    }

    private enum Asked {
        case reader(StreamReader, UpdateFollower.Request)
        case lane(LaneKey, number: UInt64)
    }

    private let context: ServiceContext
    private let client: BusClient
    private let senders: SenderSet
    private let pusher: DevicePusher
    private let commands: BrokerCommands
    private let notes: DeliveryNotes
    private let storeSize: StoreSize?
    private let malformed: Counter
    private var plan: DeliveryPlan
    private var commandTimeout: Duration
    private let seed = UInt64.random(in: .min ... .max)
    private var isSubscribed: Bool
    /// The service is ready when it knows the end of the stream: new destinations get what comes from then on.
    let isReadyWhenSubscribed = false
    private var isReady = false
    /// A Boolean value that indicates whether the core reads updates; it does not without destinations and devices.
    private var readsUpdates = true
    private var asked: [RequestID: Asked] = [:]
    private var requests = PendingRequests()
    private var tests: UInt64 = 0

    /// Creates an adapter; `isSubscribed` is true if the subscriptions are active already, as those of a standby.
    init(_ context: ServiceContext, client: BusClient, pusher: DevicePusher, isSubscribed: Bool) {
        self.isSubscribed = isSubscribed
        self.context = context
        self.client = client
        self.pusher = pusher
        senders = SenderSet(pusher.tools) { name in
            MQTTSender.Hooks(
                command: { client.post(BrokerCall.command($0, $1)) },
                kept: { client.post(BrokerCall.kept(name, $0)) },
                connection: { client.post(BrokerCall.connection(name, problem: $0)) }
            )
        }
        commands = BrokerCommands(context, client)
        notes = DeliveryNotes(context, client)
        malformed = context.metrics.counter("malformed.messages")
        storeSize = StoreSize(of: context.service.rawValue, in: context.settings.store, metrics: context.metrics)
        let settings = DeliverySettings(context.takeConfiguration())
        plan = settings.plan
        commandTimeout = settings.commandTimeout
        use(settings)
        Allocator.returnFreeMemory()
    }

    private var log: Logger { context.log }

    var setup: DeliverySetup { DeliverySetup(plan: plan, seed: seed, isSubscribed: isSubscribed) }

    func discarded() {
        asked = [:]
        requests.removeAll()
    }

    func resumed() { notes.sayHealth() }

    func finish() { senders.stop() }

    func refuse(_ input: DeliveryInput) {
        let number: UInt64
        switch input {
        case .reportRequested(let of, _), .deviceRequested(let of, _): number = of
        default: return
        }
        guard let request = requests.remove(number) else { return }
        client.reply(
            to: request,
            error: RequestError(.failed, "The service delivery cannot use its store; try again.")
        )
    }

    // MARK: Inputs

    func input(_ input: BusInput) -> DeliveryInput? {
        switch input {
        case .ready:
            isSubscribed = true
            return .follow(.subscribed)
        case .resubscribed: return .follow(.resubscribed)
        case .message(let topic, let frames): return readsUpdates ? received(topic, frames.first ?? Data()) : nil
        case .request(let request): return received(request)
        case .answer(let id, let json, _): return answered(id, json)
        case .requestFailed(let id, let error): return failed(id, error)
        case .posted(let value): return posted(value)
        case .publisherConnected, .registrationRefused, .stopped: return nil
        }
    }

    private func posted(_ value: any Sendable) -> DeliveryInput? {
        switch value {
        case let result as AttemptResult: return .sent(result)
        case let tested as Tested:
            if let request = requests.remove(tested.number) { client.reply(to: request, result: tested.answer) }
            return tested.answer.isDelivered ? .tested(tested.destination) : nil
        case is Reload: return reload()
        case let call as BrokerCall: return received(call)
        default: break
        }
        return nil
    }

    private func received(_ call: BrokerCall) -> DeliveryInput? {
        switch call {
        case .command(let widget, let command): commands.send(command, to: widget, timeout: commandTimeout)
        case .kept(let name, let kept): return .kept(name, kept)
        case .connection(let name, let problem): notes.connection(of: name, problem: problem)
        }
        return nil
    }

    private func received(_ topic: Topic, _ json: Data) -> DeliveryInput? {
        do throws(WireError) {
            if topic.text.hasPrefix(Topic.Prefix.update) {
                return .follow(.update(try WireJSON.decode(Event<Update>.self, from: json), json: json))
            }
            return .follow(.heads(try WireJSON.decode(Event<NotifierHeads>.self, from: json).data))
        } catch {
            malformed.increment()
            log.warning("Dropped a malformed message.", [.topic: topic.text], error: error)
            return nil
        }
    }

    private func received(_ request: IncomingRequest) -> DeliveryInput? {
        do throws(WireError) {
            switch try request.head().request {
            case DeliveriesRequest.name:
                let body = try request.decode(DeliveriesRequest.self).body
                return .reportRequested(requests.add(request), body)
            case DeviceRequest.name:
                let body = try request.decode(DeviceRequest.self).body
                return requests.addOnce(request).map { .deviceRequested($0, body) }
            case PushKeyRequest.name:
                if let key = pusher.publicKey {
                    client.reply(to: request, result: PushKeyAnswer(publicKey: key))
                } else {
                    client.reply(to: request, error: RequestError(.failed, "The service delivery is starting."))
                }
            case DeliverTestRequest.name: test(request, try request.decode(DeliverTestRequest.self).body)
            case let other:
                let error = RequestError(.unknownRequest, "The service delivery knows no request '\(other)'.")
                client.reply(to: request, error: error)
            }
        } catch {
            context.metrics.counter("malformed.requests").increment()
            client.reply(to: request, error: RequestError(.malformed, "The request is not valid: \(error)."))
        }
        return nil
    }

    private func answered(_ id: RequestID, _ json: Data) -> DeliveryInput? {
        if asked[id] == nil {
            let error: RequestError? =
                if case .error(let error)? = try? WireJSON.decode(Answer<CycleAnswer>.self, from: json) { error } else {
                    nil
                }
            _ = commands.ended(id, error: error)
            return nil
        }
        do {
            let page = try WireJSON.decode(Answer<Records<Update>>.self, from: json).get()
            switch asked.removeValue(forKey: id) {
            case .reader(let reader, let request)?: return .answered(reader, .answer(request, page))
            case .lane(let key, let number)?: return .replayed(key, number: number, page)
            case nil: return nil
            }
        } catch {
            return failed(id, error as? RequestError ?? RequestError(.failed, "\(error)"))
        }
    }

    private func failed(_ id: RequestID, _ error: RequestError) -> DeliveryInput? {
        if commands.ended(id, error: error) { return nil }
        log.debug("A request to the notifier failed; it will be repeated.", error: error)
        switch asked.removeValue(forKey: id) {
        case .reader(let reader, let request)?:
            return .answered(reader, .failed(request, isUnknown: error.code == .notFound))
        case .lane(let key, let number)?: return .replayed(key, number: number, nil)
        case nil: return nil
        }
    }

    // MARK: Configuration

    /// Loads the configuration again; the previous one stays in use if the new one has errors.
    private func reload() -> DeliveryInput? {
        guard let file = context.settings.file else { return nil }
        do throws(ServiceContext.ReloadFailure) {
            let configuration = try context.load(file, needsSecrets: .ofDestinations)
            let settings = DeliverySettings(configuration)
            notes.set(configurationProblem: nil)
            context.configurationDigest.set(configuration.digest)
            use(settings)
            guard settings.plan != plan else { return nil }
            plan = settings.plan
            log.notice("Reloaded the configuration.", [.file: file, .count: plan.destinations.count])
            return .configure(plan)
        } catch {
            notes.set(configurationProblem: error.problem)
            return nil
        }
    }

    /// Makes senders for settings.
    private func use(_ settings: DeliverySettings) {
        commandTimeout = settings.commandTimeout
        notes.set(appleProblem: settings.apnsProblem)
        notes.forgetConnections(except: Set(settings.homeAssistantDevices.keys))
        senders.replace(by: settings)
        pusher.replace(by: settings)
    }

    // MARK: Tests

    /// Sends an update to a destination, whatever its filter, budget and state are.
    private func test(_ request: IncomingRequest, _ body: DeliverTestRequest) {
        guard let sender = senders[body.destination], let plan = plan.destinations[body.destination] else {
            let known = self.plan.destinations.keys.sorted().map(\.rawValue).joined(separator: ", ")
            let text = "There is no destination '\(body.destination)'; there are: \(known.isEmpty ? "none" : known)."
            return client.reply(to: request, error: RequestError(.notFound, text))
        }
        guard let widget = body.update.widget, let json = try? WireJSON.encode(body.update) else {
            return client.reply(to: request, error: RequestError(.malformed, "The update names no widget."))
        }
        guard let number = requests.addOnce(request) else { return }
        tests += 1
        let attempt = DeliveryAttempt(
            message: "test_\(Instant.now.milliseconds)_\(tests)",
            destination: body.destination,
            subject: .widget(widget),
            number: 1,
            body: json,
            time: .now,
            timeout: plan.timeout,
            isTest: true
        )
        let (client, begun) = (client, ContinuousClock.now)
        sender.send(attempt) { outcome in
            let duration = ContinuousClock.now - begun
            let answer = DeliverTestAnswer(
                isDelivered: outcome == .delivered,
                reason: outcome.reason,
                milliseconds: Int(duration.wholeMilliseconds)
            )
            client.post(Tested(number: number, destination: body.destination, answer: answer))
        }
    }

    // MARK: Effects

    func perform(_ effect: DeliveryEffect, reading reader: Void) {
        switch effect {
        case .request(let reader, let request): send(request, for: reader)
        case .replay(let key, let number, let widget, let from):
            let request = ReplayRequest<Update>(from: [widget: from])
            let id = client.request(RequestTarget(.notifier), request, deadline: Self.pageTimeout)
            asked[id] = .lane(key, number: number)
        case .send(let key, let attempt): send(attempt, of: key)
        case .push(let key, let attempt, let device):
            pusher.send(attempt, to: device, completion: completion(of: attempt, key))
        case .reads(let reads): readsUpdates = reads
        case .answer(let number, let answer):
            if let request = requests.remove(number) { client.reply(to: request, result: answer) }
        case .answerDevice(let number, let answer):
            guard let request = requests.remove(number) else { break }
            switch answer {
            case .result(let result): client.reply(to: request, result: result)
            case .error(let error): client.reply(to: request, error: error)
            }
        case .ready:
            guard !isReady else { break }
            isReady = true
            notes.becomeReady()
            context.announceReady()
        case .report(let report):
            storeSize?.measure()
            notes.report(report)
        case .note(let note): notes.record(note)
        }
    }

    private func send(_ request: UpdateFollower.Request, for reader: StreamReader) {
        let (target, timeout) = (RequestTarget(.notifier), Self.pageTimeout)
        let id =
            switch request.body {
            case .snapshot(let after):
                client.request(target, SnapshotRequest<Update>(after: after), deadline: timeout)
            case .updates(let since): client.request(target, UpdatesRequest(since: since), deadline: timeout)
            case .cycles(let from): client.request(target, ReplayRequest<Update>(from: from), deadline: timeout)
            }
        asked[id] = .reader(reader, request)
    }

    private func send(_ attempt: DeliveryAttempt, of key: LaneKey) {
        let completion = completion(of: attempt, key)
        guard let sender = senders[key.destination] else {
            return completion(.retry(after: nil, reason: "The destination is not configured."))
        }
        sender.send(attempt, completion: completion)
    }

    /// Returns the completion that passes the result of an attempt to the core.
    private func completion(of attempt: DeliveryAttempt, _ key: LaneKey) -> Sender.Completion {
        let (client, message, number) = (client, attempt.message, attempt.number)
        return { outcome in
            client.post(AttemptResult(key: key, message: message, attempt: number, outcome: outcome))
        }
    }
}

extension DeliveryOutcome {
    /// The reason why a message was not delivered; nil if it was.
    var reason: String? {
        switch self {
        case .delivered: nil
        case .retry(_, let reason, _), .rejected(let reason), .gone(let reason), .unknown(let reason): reason
        }
    }
}
