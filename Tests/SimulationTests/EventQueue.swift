// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The future actions in virtual milliseconds: the earliest first, and at the same time in the order of their addition.
struct EventQueue {
    private struct Entry {
        let at: Int64
        let order: UInt64
        let action: () -> Void

        func isBefore(_ other: Entry) -> Bool { at == other.at ? order < other.order : at < other.at }
    }

    private var entries: [Entry] = []
    private var order: UInt64 = 0

    mutating func add(at moment: Int64, _ action: @escaping () -> Void) {
        order += 1
        entries.append(Entry(at: moment, order: order, action: action))
        var child = entries.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard entries[child].isBefore(entries[parent]) else { return }
            entries.swapAt(child, parent)
            child = parent
        }
    }

    mutating func removeFirst() -> (at: Int64, action: () -> Void)? {
        guard let first = entries.first, let last = entries.popLast() else { return nil }
        guard !entries.isEmpty else { return (first.at, first.action) }
        entries[0] = last
        var parent = 0
        while true {
            var child = 2 * parent + 1
            guard child < entries.count else { break }
            if child + 1 < entries.count, entries[child + 1].isBefore(entries[child]) { child += 1 }
            guard entries[child].isBefore(entries[parent]) else { break }
            entries.swapAt(child, parent)
            parent = child
        }
        return (first.at, first.action)
    }
}
