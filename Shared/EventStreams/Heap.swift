// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A binary heap whose first element is the smallest.
package struct Heap<Element: Comparable & Sendable>: Sendable {
    private var elements: [Element] = []

    package init() {}

    package var first: Element? { elements.first }
    package var count: Int { elements.count }

    package mutating func insert(_ element: Element) {
        elements.append(element)
        var child = elements.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard elements[child] < elements[parent] else { return }
            elements.swapAt(child, parent)
            child = parent
        }
    }

    @discardableResult
    package mutating func removeFirst() -> Element? {
        guard let least = elements.first, let last = elements.popLast() else { return nil }
        guard !elements.isEmpty else { return least }
        elements[0] = last
        var parent = 0
        while true {
            let left = 2 * parent + 1
            guard left < elements.count else { return least }
            let right = left + 1
            let child = right < elements.count && elements[right] < elements[left] ? right : left
            guard elements[child] < elements[parent] else { return least }
            elements.swapAt(child, parent)
            parent = child
        }
    }
}
