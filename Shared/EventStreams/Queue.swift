// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A first-in, first-out queue whose operations take amortised constant time.
package struct Queue<Element: Sendable>: Sendable {
    private var elements: [Element] = []
    private var head = 0

    package init() {}

    package var first: Element? { head < elements.count ? elements[head] : nil }

    package mutating func append(_ element: Element) { elements.append(element) }

    package mutating func removeFirst() {
        precondition(head < elements.count, "an element cannot be removed from an empty queue")
        head += 1
        guard head * 2 >= elements.count else { return }
        elements.removeFirst(head)
        head = 0
    }
}
