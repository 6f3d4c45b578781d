// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import OriginRules
import TestSupport
import WidgetSchema

@testable import Cache

/// The events around the services: changes of origins and of the configuration, commands of people, and disasters.
final class SimulatedWorld {
    static let sourceOfWidget = [0, 0, 1, 2, 3, 2, 1, 3, 4, 5, 5, 6, 6, 7, 7, 4]

    /// The time between two disasters, in virtual milliseconds.
    private static let betweenDisasters: ClosedRange<Int64> = 2000...12_000
    private static let betweenForks: ClosedRange<Int64> = 4000...15_000
    private static let replicaLag: ClosedRange<Int64> = 0...3000
    private static let splitDuration: ClosedRange<Int64> = 500...20_000

    /// The times after which widgets are stale: within the calm before the machines sleep, and while they sleep.
    private static let staleAfter: [Duration] = [.seconds(5), .seconds(13)]

    unowned let simulation: Simulation
    private let dice: Dice
    private(set) var widgets = Set(0..<sourceOfWidget.count)
    private(set) var displays = ["compact", "expanded", "panel"]
    private(set) var revision = 0
    /// The state that the last command for each widget requested.
    private(set) var intents: [WidgetID: Bool] = [:]
    /// Widgets that were added or removed during the run, which may have lost commands.
    private(set) var wereAway: Set<WidgetID> = []
    /// Widgets that have had no command since a store was restored.
    private(set) var areUnsure: Set<WidgetID> = []
    private(set) var disasters = 0
    private(set) var isOver = false
    private var plan: (Int, CachePlan)?

    init(_ simulation: Simulation) {
        self.simulation = simulation
        dice = Dice(seed: simulation.settings.seed, stream: 7)
    }

    static func widget(_ index: Int) -> WidgetID {
        guard let id = WidgetID(rawValue: "w\(index)") else { preconditionFailure("a widget id") }
        return id
    }

    static let allWidgets = sourceOfWidget.indices.map(widget)

    static func display(_ name: String) -> Display {
        guard let valid = DisplayName(rawValue: name) else { preconditionFailure("a display's name") }
        return .sample(valid) { display in
            if name == "compact" { display.maximumHeight = 200 }
            if name == "extra" { display.contentSizeCategory = .extraLarge }
            if name == "panel" {
                display.family = .panel
                (display.width, display.maximumHeight, display.scale) = (400, 300, 1)
                display.panel = Panel(palette: .mono)
            }
        }
    }

    /// The current configuration of the cache.
    var currentPlan: CachePlan {
        if let plan, plan.0 == revision { return plan.1 }
        var limits = CacheLimits(
            leaseDuration: .seconds(8),
            hostConcurrency: 1,
            hostSpacing: .zero,
            history: HistoryLimits(
                cycles: simulation.faults.history,
                age: .seconds(7 * 86_400),
                contentBytes: 256 << 10
            )
        )
        limits.leaseParking = .milliseconds(1500)
        limits.refresh.maximumFirstBackOff = .seconds(1)
        limits.refresh.maximumBackOff = .seconds(6)
        limits.firstQuarantine = .milliseconds(500)
        limits.repeatedQuarantine = .seconds(1)
        limits.maximumQuarantine = .seconds(6)
        limits.refreshFloor = .milliseconds(500)
        limits.reconciledAtOnce = 5
        limits.republishedAtOnce = 5
        limits.staleMarkGrace = .seconds(1)
        limits.firstLead = .milliseconds(PanelJudge.firstLead)
        limits.leadReserve = .milliseconds(PanelJudge.leadReserve)
        limits.maximumLead = .milliseconds(PanelJudge.maximumLead)
        limits.wantedFor = .milliseconds(PanelJudge.wantedFor)
        let displays = simulation.settings.variant == .displaysOfLayout ? ["compact", "expanded"] : self.displays
        let made = CachePlan(
            widgets: widgets.sorted().map { index in
                let source = Self.sourceOfWidget[index]
                let kind = SimulatedOrigin.kind(of: source)
                let isShown = simulation.panels.arePresent && PanelJudge.sources.contains(source)
                return WidgetPlan(
                    id: Self.widget(index),
                    definition: WidgetDefinition(kind: kind),
                    displays: shownDisplays(of: index, named: displays),
                    source: SimulatedOrigin.addresses[source],
                    interval: isShown ? .seconds(1) : .milliseconds(1500),
                    minimumInterval: .seconds(1),
                    parsing: Parsing(kind: kind),
                    staleAfter: Self.staleAfter[index % Self.staleAfter.count],
                    isFetchedWhenShown: isShown && simulation.settings.variant != .restsNotKept
                )
            },
            limits: limits
        )
        plan = (revision, made)
        return made
    }

    func begin() {
        simulation.after(0) { [self] in nature() }
        simulation.after(dice.number(Self.betweenDisasters)) { [self] in disaster() }
        if simulation.hasForks {
            simulation.after(simulation.forkDice.number(Self.betweenDisasters)) { [self] in fork() }
        }
        if simulation.hasInterleavings { planInterleaving() }
        backUp()
    }

    func end() {
        isOver = true
        endSplits()
    }

    // MARK: Origins

    private func nature() {
        guard !isOver else { return }
        let source = Int(dice.number(0...Int64(SimulatedOrigin.sources - 1)))
        let kind = dice.fraction()
        if kind < 0.5 {
            simulation.origin.change(source, seen: dice.number(0...4), unseen: nil)
        } else if kind < 0.8 {
            simulation.origin.change(source, seen: nil, unseen: dice.number(0...4))
        }
        if dice.chance(0.1), simulation.faults.has(.outages) {
            simulation.origin.goDown(source, for: dice.number(1000...15_000))
        }
        if dice.chance(0.4), simulation.faults.has(.presses) {
            press(Self.widget(Int(dice.number(0...Int64(Self.sourceOfWidget.count - 1)))))
        }
        simulation.after(dice.number(200...1500)) { [self] in nature() }
    }

    private func press(_ widget: WidgetID) {
        let intent = !(intents[widget] ?? false)
        intents[widget] = intent
        areUnsure.remove(widget)
        simulation.note("somebody wants it \(intent ? "expanded" : "collapsed")", nil, widget)
        for case let person as PersonProcess in simulation.processes { person.press(widget, intent) }
    }

    /// Expands or collapses a configured widget after the chaos, so that there is a cycle that does not depend on a fetch.
    func pressAnyWidget() {
        guard !widgets.isEmpty, simulation.faults.has(.presses) else { return }
        press(Self.widget(simulation.redundancyDice.pick(widgets.sorted())))
    }

    // MARK: Disasters

    private func backUp() {
        guard !isOver else { return }
        simulation.cacheStore.backUp()
        simulation.notifierStore.backUp()
        simulation.after(10_000) { [self] in backUp() }
    }

    private func disaster() {
        guard !isOver else { return }
        disasters += 1
        let kind = dice.fraction()
        let faults = simulation.faults
        if kind < 0.25 {
            let service = dice.pick([ServiceName.cache, .notifier])
            if simulation.hasStandbys {
                freeze(service)
            } else if faults.has(.standbys) {
                standby(service)
            }
        } else if kind < 0.4 {
            let mortal = simulation.processes.filter { $0.service != nil }
            for _ in 0..<3 {
                let process = dice.pick(mortal)
                if faults.has(.crashes) { process.crash() }
            }
        } else if kind < 0.55 {
            let services = dice.pick([[ServiceName.cache], [.notifier], [.cache, .notifier]])
            let isRestore = dice.chance(0.6)
            let age = Int(dice.number(0...2))
            let isForking = simulation.cacheServers.isForking || simulation.notifierServers.isForking
            // The first number of a store is a time. With a clock that is behind, a new store could reuse numbers.
            let isPossible = !isForking && !simulation.hasClockDifference
            if isPossible, faults.has(isRestore ? .restores : .wipes) { putBack(services, isRestore: isRestore, age) }
        } else if kind < 0.65 {
            let pause = dice.number(200...5000)
            let bus = simulation.redundancyDice.pick(simulation.buses)
            let freezes = simulation.redundancyDice.chance(0.3)
            if faults.has(.busCrashes) {
                if freezes { bus.freeze(for: 2 * pause) } else { bus.crash(comesBackAfter: pause) }
            }
        } else if kind < 0.85 {
            let widget = Int(dice.number(0...Int64(Self.sourceOfWidget.count - 1)))
            if faults.has(.removals) { toggle(widget) }
        } else {
            let choice = dice.pick([["compact", "expanded", "panel"], ["compact"], ["compact", "panel", "extra"]])
            if faults.has(.displays) { show(on: choice) }
        }
        simulation.after(dice.number(Self.betweenDisasters)) { [self] in disaster() }
    }

    /// Freezes an active instance, so that its standby takes over while it sleeps, or not.
    private func freeze(_ service: ServiceName) {
        let pause = dice.number(500...12_000)
        for process in simulation.processes where process.service == service {
            if process.isActive { process.freeze(for: pause) }
        }
    }

    /// Lets a second instance take over while the old one continues for a while.
    func standby(_ service: ServiceName) {
        retire(service)
        simulation.note("a standby \(service.rawValue) takes over")
        simulation.spawn { number in
            switch service {
            case .cache: CacheProcess(simulation, number: number)
            case .delivery: DeliveryProcess(simulation, number: number)
            default: NotifierProcess(simulation, number: number)
            }
        }
    }

    /// Ends the instances of a service after a while, for good.
    func retire(_ service: ServiceName) {
        for process in simulation.processes where process.service == service && !process.isLeaving {
            process.isLeaving = true
            if process.isAlive { simulation.after(dice.number(100...12_000)) { process.crash() } }
        }
    }

    /// Replaces stores by an older backup, or by empty ones.
    private func putBack(_ services: [ServiceName], isRestore: Bool, _ age: Int) {
        simulation.note("\(services.map(\.rawValue)) \(isRestore ? "restored" : "wiped")")
        for service in services {
            for process in simulation.processes where process.service == service {
                process.crash(comesBackAfter: dice.number(300...2000))
            }
            if service == .cache {
                simulation.cacheStore.putBack(isRestore ? age : nil)
                simulation.oracle.cacheWasRestored()
            } else {
                simulation.notifierStore.putBack(
                    isRestore ? age : nil,
                    keepsEpoch: simulation.settings.variant == .epochKept
                )
                simulation.oracle.notifierWasRestored()
            }
        }
        intents = [:]
        areUnsure.formUnion(Self.allWidgets)
    }

    // MARK: Forks

    /// Promotes a replica that lags behind without synchronous mode, while the former primary ends or goes on.
    private func fork() {
        guard !isOver else { return }
        let dice = simulation.forkDice
        let lag = simulation.isSynchronous ? 0 : dice.number(Self.replicaLag)
        let isDispute = simulation.hasDisputes && simulation.disputeDice.chance(0.5)
        let split =
            isDispute
            ? simulation.disputeDice.number(Self.disputeDuration)
            : dice.chance(0.5) ? dice.number(Self.splitDuration) : nil
        let services = dice.pick([[ServiceName.cache], [.notifier], [.cache, .notifier]])
        detachReplicas(services)
        simulation.note("\(services.map(\.rawValue)): the replica lags")
        simulation.after(lag) { [self] in
            guard !isOver else { return }
            if isDispute, simulation.disputeDice.chance(0.5) {
                // Two failovers in a row: nobody has used the store of the first one.
                promote(services, isSplit: false)
                detachReplicas(services)
            }
            promote(services, isSplit: split != nil)
            guard let split else { return simulation.after(dice.number(Self.betweenForks)) { [self] in fork() } }
            if isDispute {
                dispute(services)
            } else {
                simulation.after(dice.number(0...split)) { [self] in disturbSplit(services) }
            }
            simulation.after(split) { [self] in
                guard !isOver else { return }
                endSplits()
                simulation.after(dice.number(Self.betweenForks)) { [self] in fork() }
            }
        }
    }

    /// Ends the connections to the new primaries, so that their owners may reach the former ones, or lets others take over,
    /// each on either primary.
    private func disturbSplit(_ services: [ServiceName]) {
        guard !isOver else { return }
        if simulation.forkDice.chance(0.3) {
            simulation.cacheServers.primary.endConnections()
            simulation.notifierServers.primary.endConnections()
        } else if !simulation.hasStandbys, simulation.faults.has(.standbys) {
            for service in services + services { standby(service) }
        } else if simulation.faults.has(.crashes) {
            for process in simulation.processes where process.isActive {
                if let service = process.service, services.contains(service) { process.crash() }
            }
        }
    }

    private func detachReplicas(_ services: [ServiceName]) {
        if services.contains(.cache) { simulation.cacheServers.detachReplica() }
        if services.contains(.notifier) { simulation.notifierServers.detachReplica() }
    }

    private func promote(_ services: [ServiceName], isSplit: Bool) {
        let rest = isSplit ? ", the former primary goes on" : ""
        simulation.note("\(services.map(\.rawValue)): a replica is promoted\(rest)")
        let former: SimulatedServer.Condition =
            isSplit ? (simulation.isSynchronous ? .cutOff : .serving) : .stopped
        if services.contains(.cache) {
            simulation.cacheServers.promote(former: former)
            simulation.oracle.cacheWasRestored()
        }
        if services.contains(.notifier) {
            simulation.notifierServers.promote(former: former)
            simulation.oracle.notifierWasRestored(isFork: true)
        }
        loseCommands()
    }

    /// Ends the former primaries, and what only they know.
    private func endSplits() {
        if let former = simulation.cacheServers.endSplit() {
            simulation.note("the former primary of the cache ends")
            simulation.oracle.formerPrimaryEnds(former, of: .cache)
            simulation.oracle.cacheWasRestored(isOtherStore: false)
            loseCommands()
        }
        if let former = simulation.notifierServers.endSplit() {
            simulation.note("the former primary of the notifier ends")
            simulation.oracle.formerPrimaryEnds(former, of: .notifier)
        }
    }

    /// Expects the loss of acknowledged commands, unless the servers are in synchronous mode.
    private func loseCommands() {
        guard !simulation.isSynchronous else { return }
        intents = [:]
        areUnsure.formUnion(Self.allWidgets)
    }

    private func toggle(_ index: Int) {
        revision += 1
        let widget = Self.widget(index)
        wereAway.insert(widget)
        if widgets.remove(index) == nil { widgets.insert(index) }
        simulation.note(widgets.contains(index) ? "is configured" : "is configured no more", nil, widget)
        tellCaches()
        for case let gateway as GatewayProcess in simulation.processes { gateway.configurationChanged() }
    }

    private func show(on names: [String]) {
        revision += 1
        displays = names
        simulation.note("displays are \(names)")
        tellCaches()
        guard simulation.settings.variant == .displaysOfLayout else { return }
        for process in simulation.processes where process.service == .layout { process.crash(comesBackAfter: 300) }
    }

    private func tellCaches() {
        for case let cache as CacheProcess in simulation.processes {
            guard cache.isActive, let former = simulation.cacheServers.former, cache.server === former else {
                cache.configurationChanged()
                continue
            }
            // In a split brain, the machines may read the file at different times, or in the same millisecond.
            let delay = simulation.forkDice.chance(0.5) ? 0 : simulation.forkDice.number(1...3000)
            simulation.after(delay) { cache.configurationChanged() }
        }
    }
}
