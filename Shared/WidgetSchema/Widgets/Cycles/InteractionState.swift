// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Text

/// The part of a widget's state that users set with commands; it survives restarts of the services.
///
/// ``expanded``, ``position`` and ``shownKey`` are the common state: it applies to each device without an entry in
/// ``displays``.
public struct InteractionState: Codable, Hashable, Sendable {
    /// A Boolean value that indicates whether the widget shows more rows, as after "Show more" (family `todayClassic`).
    public var expanded: Bool
    /// The number of steps from ``shownKey`` to the key of the value that is shown (kind `keyValue`).
    ///
    /// The steps follow the order of the keys that ``seed`` determines.
    @DefaultIfAbsent public var position: UInt32
    /// The seed that determines the order in which a widget shows its values; chosen when the widget is created.
    @DefaultIfAbsent public var seed: UInt32
    /// The key of the value from which ``position`` counts (kind `keyValue`); nil until the keys are known.
    ///
    /// If ``position`` is 0, this value is shown.
    public var shownKey: String?
    /// The states that replace the common state on single devices; nil if there are none.
    ///
    /// The keys are the names of the devices (``Display/device``).
    public var displays: [DisplayName: DisplayInteraction]?

    public init(
        expanded: Bool = false,
        position: UInt32 = 0,
        seed: UInt32 = 0,
        shownKey: String? = nil,
        displays: [DisplayName: DisplayInteraction]? = nil
    ) {
        self.expanded = expanded
        self.position = position
        self.seed = seed
        self.shownKey = shownKey
        self.displays = displays
    }

    /// Returns the state for a display: the state of its device in ``displays``, or else the common state.
    ///
    /// A passive panel has the initial state, because nobody can press a button on it.
    public func on(_ display: Display) -> InteractionState {
        if display.isPassive { return InteractionState(seed: seed) }
        // Finding the device takes longer than this check.
        return displays == nil ? self : on(device: display.device)
    }

    /// Returns the index in `keys` of the value that is shown; nil if `keys` is empty.
    ///
    /// The keys are sorted by a hash of the key and the seed, so keys that appear or disappear do not change the order
    /// of the other keys. Starting at ``shownKey``, the function goes ``position`` steps forward. After the last key,
    /// it continues with the first one. If `keys` does not contain ``shownKey``, the function starts at the key that
    /// would follow it. If ``shownKey`` is nil, the function starts at the first key in this order.
    public func shownIndex(among keys: [String]) -> Int? {
        guard !keys.isEmpty else { return nil }
        let order = keys.indices.map { (place: Place(keys[$0], seed: seed), index: $0) }
            .sorted { $0.place < $1.place }
        let shown = shownKey.map { Place($0, seed: seed) }
        let start = shown.flatMap { shown in order.firstIndex { !($0.place < shown) } } ?? 0
        return order[(start + Int(position)) % order.count].index
    }

    /// Sets whether the widget shows more rows, on one device or, if `device` is nil, on all devices.
    public mutating func setExpanded(_ isExpanded: Bool, on device: DisplayName?) {
        change(on: device) { $0.expanded = isExpanded }
    }

    /// Advances to the next value, on one device or on all devices.
    ///
    /// Sets ``shownKey`` to the key of the next value, and ``position`` to 0. If `keys` is nil or empty, adds 1 to
    /// ``position`` instead. In this case, a later call of ``settle(among:)`` sets ``shownKey``.
    ///
    /// - Parameters:
    ///   - keys: The content's keys; nil if they are not known.
    ///   - device: The device; nil for all devices.
    public mutating func advance(among keys: [String]?, on device: DisplayName? = nil) {
        change(on: device) { state in
            state.position &+= 1
            state.settle(among: keys)
        }
    }

    /// Sets ``shownKey`` to the key of the value that is shown, and ``position`` to 0.
    ///
    /// New content then does not change which value is shown. The states in ``displays`` are changed in the same way.
    /// If ``position`` is already 0, a stored key is kept, even if `keys` does not contain it. `keys` are the content's
    /// keys. If `keys` is nil or empty, nothing changes.
    public mutating func settle(among keys: [String]?) {
        guard let keys else { return }
        change(on: nil) { $0.settleOne(among: keys) }
    }

    /// Removes the states of devices on which the widget is no longer shown.
    public mutating func keep(devicesOf shown: [Display]) {
        guard let own = displays else { return }
        let devices = Set(shown.map(\.device))
        let kept = own.filter { devices.contains($0.key) }
        displays = kept.isEmpty ? nil : kept
    }

    private mutating func settleOne(among keys: [String]) {
        // A key that disappeared stays stored until a command advances to the next pair, because it may appear again.
        if shownKey != nil, position == 0 { return }
        guard let index = shownIndex(among: keys) else { return }
        shownKey = keys[index]
        position = 0
    }

    private func on(device: DisplayName) -> InteractionState {
        var state = self
        state.displays = nil
        guard let own = displays?[device] else { return state }
        state.expanded = own.expanded
        state.position = own.position
        state.shownKey = own.shownKey
        return state
    }

    /// Applies `change` to the state of one device, or to all states if `device` is nil.
    ///
    /// All states are the common state and each state in ``displays``.
    private mutating func change(on device: DisplayName?, _ change: (inout InteractionState) -> Void) {
        func changed(_ device: DisplayName) -> DisplayInteraction {
            var state = on(device: device)
            change(&state)
            return DisplayInteraction(expanded: state.expanded, position: state.position, shownKey: state.shownKey)
        }
        if let device {
            let own = changed(device)
            displays = (displays ?? [:]).merging([device: own]) { $1 }
            return
        }
        let others = displays.map { own in
            Dictionary(uniqueKeysWithValues: own.keys.map { ($0, changed($0)) })
        }
        displays = nil
        change(&self)
        displays = others
    }

    /// The place of a value in the order that the seed determines: values are ordered by ``rank``, then by ``key``.
    private struct Place: Comparable {
        let rank: UInt64
        let key: String

        init(_ key: String, seed: UInt32) {
            rank = StableHash.mixed(StableHash.hash(key.utf8) &+ UInt64(seed) &* StableHash.increment)
            self.key = key
        }

        static func < (left: Place, right: Place) -> Bool { (left.rank, left.key) < (right.rank, right.key) }
    }
}

/// The interaction state of one device, created by the first command that names the device.
public struct DisplayInteraction: Codable, Hashable, Sendable {
    public var expanded: Bool
    /// The number of steps from ``shownKey`` to the key of the value that is shown (kind `keyValue`).
    ///
    /// The steps follow the order of the keys that ``InteractionState/seed`` determines.
    public var position: UInt32 = 0
    public var shownKey: String?
}
