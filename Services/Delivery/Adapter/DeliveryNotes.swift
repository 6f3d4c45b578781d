// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import MessageBus
import ServiceRuntime
import Telemetry
import WidgetSchema

/// The log, the metrics and the health of the service.
final class DeliveryNotes {
    private enum Count: String, CaseIterable {
        case delivered = "delivery.delivered"
        case failed = "delivery.failedAttempts"
        case unknown = "delivery.unknownOutcomes"
        case rejected = "delivery.rejected"
        case gone = "delivery.gone"
        case goneDevices = "delivery.goneDevices"
        case breakers = "delivery.openedServers"
        case merged = "delivery.savedByMerging"
        case noData = "delivery.savedByNoData"
        case restores = "delivery.restores"
        case duplicates = "stream.duplicates"
        case gaps = "stream.gaps"
        case implausible = "stream.implausible"
        case malformed = "malformed.messages"
        case otherEpochs = "stream.otherEpochs"
    }

    private let log: Logger
    private let client: BusClient
    private let metrics: Metrics
    private let counters: [Count: Counter]
    private let laneLimit: Counter
    private var configurationProblem: String?
    private var appleProblem: String?
    /// The destinations whose broker cannot be reached.
    private var disconnected: Set<DestinationName> = []
    private var problems: [String] = []
    private var isReady = false

    init(_ context: ServiceContext, _ client: BusClient) {
        log = context.log
        self.client = client
        metrics = context.metrics
        counters = Dictionary(
            uniqueKeysWithValues: Count.allCases.map { ($0, context.metrics.counter($0.rawValue)) }
        )
        laneLimit = context.metrics.limit("delivery.lanes")
    }

    /// Sets the reason why the last configuration is not in use; nil if it is.
    func set(configurationProblem problem: String?) {
        guard problem != configurationProblem else { return }
        configurationProblem = problem
        sayHealth()
    }

    /// Sets the reason why there is no key for Apple's push service; nil if there is one, or none is configured.
    func set(appleProblem problem: String?) {
        guard problem != appleProblem else { return }
        appleProblem = problem
        if let problem { log.error("Devices of Apple get no pushes.", [.reason: problem]) }
        sayHealth()
    }

    /// Notes that a broker has accepted the connection, or the reason why there is none.
    func connection(of name: DestinationName, problem: String?) {
        if let problem {
            // Each further attempt of the connection fails, too.
            if disconnected.insert(name).inserted {
                log.warning("There is no connection to a broker.", [.destination: name.rawValue, .reason: problem])
            }
        } else {
            disconnected.remove(name)
            log.notice("Connected to a broker.", [.destination: name.rawValue])
        }
        metrics.gauge("delivery.disconnected").set(Int64(disconnected.count))
    }

    /// Forgets the brokers of destinations that are no longer configured.
    func forgetConnections(except names: Set<DestinationName>) {
        disconnected.formIntersection(names)
        metrics.gauge("delivery.disconnected").set(Int64(disconnected.count))
    }

    func report(_ report: DeliveryEffect.Report) {
        let gauges = [
            "delivery.lanes": report.lanes, "delivery.devices": report.devices,
            "delivery.waiting": report.waiting, "delivery.inFlight": report.inFlight,
            "delivery.openServers": report.openServers, "delivery.budgetSpent": report.spent,
            "delivery.budgetLeft": report.left,
        ]
        for (name, value) in gauges { metrics.gauge(name).set(Int64(value)) }
        guard report.problems != problems else { return }
        problems = report.problems
        sayHealth()
    }

    /// Reports from now on that the service is ready.
    func becomeReady() {
        isReady = true
        sayHealth()
    }

    func sayHealth() {
        guard isReady else { return }
        let all = [configurationProblem, appleProblem].compactMap { $0 } + problems
        client.setHealth(all.isEmpty ? .ready : .degraded, message: all.isEmpty ? nil : all.joined(separator: "; "))
    }

    private func count(_ count: Count) { counters[count]?.increment() }

    func record(_ note: DeliveryEffect.Note) {
        switch note {
        case .delivered(let key, let attempts):
            count(.delivered)
            log.debug("Delivered a message.", [.destination: Self.text(key), .count: attempts])
        case .failed(let key, let attempts, let reason, let isUnknown):
            count(.failed)
            if isUnknown { count(.unknown) }
            log.info(
                "An attempt to deliver a message failed; it will be repeated.",
                [.destination: Self.text(key), .count: attempts, .reason: reason]
            )
        case .rejected(let key, let reason):
            count(.rejected)
            log.warning(
                "A destination rejected a message; it was dropped.",
                [.destination: Self.text(key), .reason: reason]
            )
        case .gone(let destination, let reason):
            count(.gone)
            log.error(
                "A destination no longer exists; nothing is sent to it until its configuration changes.",
                [.destination: destination.rawValue, .reason: reason]
            )
        case .deviceGone(let device, let reason):
            count(.goneDevices)
            log.info("A push service no longer accepts a device.", [.device: device.rawValue, .reason: reason])
        case .deviceRegistered(let device): log.info("A device has registered.", [.device: device.rawValue])
        case .deviceRemoved(let device): log.info("A device was removed.", [.device: device.rawValue])
        case .breakerOpened(let server, let until):
            count(.breakers)
            log.warning(
                "A server failed repeatedly; one attempt is made after a pause.",
                [.endpoint: server, .until: "\(until)"]
            )
        case .merged: count(.merged)
        case .noData: count(.noData)
        case .laneLimit(let key):
            laneLimit.increment()
            log.warning(
                "There are too many widgets of destinations; an update is not sent.",
                [.destination: Self.text(key)]
            )
        case .restored:
            count(.restores)
            log.warning("The store was restored, so half of each budget counts as spent for 24 hours.")
        case .follower(let note): record(note)
        }
    }

    private static func text(_ key: LaneKey) -> String { "\(key.destination)/\(key.subject)" }

    private func record(_ note: UpdateFollower.Note) {
        switch note {
        case .duplicate: count(.duplicates)
        case .gap(let widget):
            count(.gaps)
            log.debug("Updates are missing; they will be requested from the notifier.", [.widget: widget])
        case .implausible(let widget):
            count(.implausible)
            log.warning(
                "Dropped an update whose sequence number is more than a day above this machine's clock.",
                [.widget: widget]
            )
        case .malformed(let id):
            count(.malformed)
            log.warning("Dropped an update that lacks its widget, its sequence numbers or its offset.", [.reason: id])
        case .otherEpoch(let reason):
            count(.otherEpochs)
            log.warning(
                "The notifier's store was probably restored or replaced; requesting a snapshot of its updates.",
                [.reason: reason]
            )
        }
    }
}
