// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The decisions of a core about one input: what to write, what to compute, and what to do after the commit.
///
/// Each list keeps the order in which the core made its decisions. The engine handles inputs in batches: it commits the
/// writes of all inputs of a batch in one transaction, and performs their effects after that.
public struct Step<Write, Work, Effect> {
    public var writes: [Write]
    public var work: [Work]
    public var effects: [Effect]

    @inlinable
    public init(writes: [Write] = [], work: [Work] = [], effects: [Effect] = []) {
        self.writes = writes
        self.work = work
        self.effects = effects
    }

    // Inlinable, so that the compiler specialises it in the service's module.
    @inlinable
    public static func += (left: inout Step, right: Step) {
        append(right.writes, to: &left.writes)
        append(right.work, to: &left.work)
        append(right.effects, to: &left.effects)
    }

    @inlinable
    public static func + (left: Step, right: Step) -> Step {
        var sum = left
        sum += right
        return sum
    }

    /// Appends `elements` to `list`; copies no elements if one of the two arrays is empty, as is usual.
    @inlinable
    static func append<Element>(_ elements: [Element], to list: inout [Element]) {
        guard !elements.isEmpty else { return }
        if list.isEmpty { list = elements } else { list += elements }
    }
}

extension Step: Equatable where Write: Equatable, Work: Equatable, Effect: Equatable {}
extension Step: Sendable where Write: Sendable, Work: Sendable, Effect: Sendable {}
