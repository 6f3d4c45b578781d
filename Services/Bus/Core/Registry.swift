// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import Foundation
internal import MessageBus
internal import WidgetSchema

/// The live instances of each service, and the choice of the instance that gets a request.
struct Registry {
    struct Instance {
        var peer: Data
        /// The request id of the last heartbeat.
        var heartbeat: Data
        var health: Health
        var lastHeard: ContinuousClock.Instant
        var lastPublished: ContinuousClock.Instant
    }

    struct Name: Hashable, Comparable, CustomStringConvertible {
        let service: ServiceName
        let instance: InstanceName

        var description: String { "\(service.rawValue)/\(instance)" }

        static func < (left: Name, right: Name) -> Bool {
            (left.service.rawValue, left.instance) < (right.service.rawValue, right.instance)
        }
    }

    private(set) var instances: [Name: Instance] = [:]
    /// The instances of each service, sorted by name; in this order, they take turns in getting requests.
    private var byService: [ServiceName: [Name]] = [:]
    private var byPeer: [Data: Set<Name>] = [:]
    private var lastChosen: [ServiceName: Name] = [:]
    /// The active instance of each service that has one, which only one with a higher term replaces.
    private var holders: [ServiceName: Name] = [:]

    var count: Int { instances.count }

    /// The time of the last heartbeat of the instance that has been silent for longest; nil if there is no instance.
    var longestUnheard: ContinuousClock.Instant? { instances.values.lazy.map(\.lastHeard).min() }

    subscript(name: Name) -> Instance? {
        get { instances[name] }
        set {
            if (instances[name] == nil) != (newValue == nil) {
                var names = byService[name.service, default: []]
                if newValue == nil { names.removeAll { $0 == name } } else { names.append(name) }
                byService[name.service] = names.sorted()
            }
            if let peer = instances[name]?.peer, peer != newValue?.peer {
                byPeer[peer]?.remove(name)
                if byPeer[peer]?.isEmpty == true { byPeer[peer] = nil }
            }
            if let peer = newValue?.peer { byPeer[peer, default: []].insert(name) }
            instances[name] = newValue
            updateHolder(of: name.service, changed: name)
        }
    }

    /// Makes an instance that has changed the holder of its service if its term is higher, or chooses another one if it was
    /// the holder and no longer is active.
    private mutating func updateHolder(of service: ServiceName, changed name: Name) {
        func term(_ name: Name) -> Term? {
            guard let health = instances[name]?.health, health.role == .active else { return nil }
            return health.term ?? Term(token: 0)
        }
        guard let holder = holders[service], let held = term(holder) else {
            let active = byService[service, default: []].filter { term($0) != nil }
            holders[service] = active.max { left, right in
                guard let low = term(left), let high = term(right) else { return false }
                return low < high
            }
            return
        }
        if let new = term(name), new > held { holders[service] = name }
    }

    /// Returns the live instance that gets the next request; nil if there is none.
    ///
    /// If the target names an instance, only that instance is chosen. Otherwise, the active instance with the highest
    /// term gets all requests; of two with one term, the first one. If no instance is active, the instances without a role
    /// take turns. Standbys get only requests that name them.
    mutating func choose(for target: RequestTarget) -> Name? {
        if let instance = target.instance {
            let name = Name(service: target.service, instance: instance)
            return instances[name] == nil ? nil : name
        }
        if let active = holders[target.service] { return active }
        let names = byService[target.service, default: []].filter { instances[$0]?.health.role != .standby }
        let next = lastChosen[target.service].flatMap { last in names.first { $0 > last } } ?? names.first
        lastChosen[target.service] = next
        return next
    }

    /// Returns the number of live standbys of a service.
    func standbys(of service: ServiceName) -> Int {
        byService[service, default: []].count { instances[$0]?.health.role == .standby }
    }

    /// Returns the names of the instances that registered on the connection of a peer.
    func names(of peer: Data) -> [Name] {
        byPeer[peer]?.sorted() ?? []
    }
}
