// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A dictionary that stores each value in an object of its own.
///
/// An ordinary dictionary reserves space for up to twice as many entries as it has, and copies all entries when it
/// grows. With a hundred thousand records of several hundred bytes, the unused space and the copies would be most of
/// the process's memory.
struct BoxedDictionary<Key: Hashable & Sendable, Value: Hashable & Sendable>: Hashable, Sendable {
    private var boxes: [Key: Box<Value>] = [:]

    init() {}

    subscript(key: Key) -> Value? {
        get { boxes[key]?.value }
        set { boxes[key] = newValue.map(Box.init) }
    }

    subscript(key: Key, default other: @autoclosure () -> Value) -> Value {
        get { boxes[key]?.value ?? other() }
        set { boxes[key] = Box(newValue) }
    }

    var keys: some Collection<Key> { boxes.keys }

    var values: some Collection<Value> { boxes.values.lazy.map { $0.value } }

    @discardableResult
    mutating func removeValue(forKey key: Key) -> Value? { boxes.removeValue(forKey: key)?.value }
}

extension BoxedDictionary: Collection {
    typealias Element = (key: Key, value: Value)

    struct Index: Comparable {
        fileprivate let index: Dictionary<Key, Box<Value>>.Index

        static func < (left: Index, right: Index) -> Bool { left.index < right.index }
    }

    var startIndex: Index { Index(index: boxes.startIndex) }
    var endIndex: Index { Index(index: boxes.endIndex) }
    var count: Int { boxes.count }

    subscript(position: Index) -> Element {
        let (key, box) = boxes[position.index]
        return (key, box.value)
    }

    func index(after position: Index) -> Index { Index(index: boxes.index(after: position.index)) }
}

extension BoxedDictionary where Key: Comparable {
    /// The current entries, ordered by key; each value is copied only when the iteration reaches it.
    var inOrder: some Sequence<Element> {
        boxes.sorted { $0.key < $1.key }.lazy.map { (key: $0.key, value: $0.value.value) }
    }
}

extension BoxedDictionary: ExpressibleByDictionaryLiteral {
    init(dictionaryLiteral elements: (Key, Value)...) {
        for (key, value) in elements { self[key] = value }
    }
}

/// An object that holds one value, which never changes; a new value gets a new object.
private final class Box<Value: Hashable & Sendable>: Hashable, Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }

    static func == (left: Box, right: Box) -> Bool { left === right || left.value == right.value }

    func hash(into hasher: inout Hasher) { hasher.combine(value) }
}
