// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import Foundation
internal import MessageBus
internal import WidgetSchema

/// The live instances of each service, and whose turn it is.
struct Registry {
    struct Instance {
        var peer: Data
        var health: Health
        var lastHeard: ContinuousClock.Instant
        var lastPublished: ContinuousClock.Instant
    }

    struct Name: Hashable, Comparable {
        let service: ServiceName
        let instance: InstanceName

        static func < (left: Name, right: Name) -> Bool {
            (left.service.rawValue, left.instance) < (right.service.rawValue, right.instance)
        }
    }

    private(set) var instances: [Name: Instance] = [:]
    /// Those of a service in the order of their names, so that turns are fair and repeatable.
    private var byService: [ServiceName: [Name]] = [:]
    private var byPeer: [Data: Set<Name>] = [:]
    private var lastChosen: [ServiceName: Name] = [:]

    var count: Int { instances.count }

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
        }
    }

    /// The instance that is asked next; nil where none is alive.
    mutating func choose(for target: RequestTarget) -> Name? {
        if let instance = target.instance {
            let name = Name(service: target.service, instance: instance)
            return instances[name] == nil ? nil : name
        }
        let names = byService[target.service, default: []]
        let next = lastChosen[target.service].flatMap { last in names.first { $0 > last } } ?? names.first
        lastChosen[target.service] = next
        return next
    }

    /// Whose connection it is.
    func names(of peer: Data) -> [Name] {
        byPeer[peer]?.sorted() ?? []
    }
}
