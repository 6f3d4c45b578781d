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

    /// Sorts decisions into their lists, keeping the order within each list.
    // Inlinable, so that the compiler specialises it in the service's module.
    @inlinable
    public init(_ decisions: some Sequence<Decision<Write, Work, Effect>>) {
        self.init()
        for decision in decisions {
            switch decision {
            case .write(let write): writes.append(write)
            case .work(let work): self.work.append(work)
            case .effect(let effect): effects.append(effect)
            }
        }
    }

    public mutating func append(_ other: Step) {
        Self.append(other.writes, to: &writes)
        Self.append(other.work, to: &work)
        Self.append(other.effects, to: &effects)
    }

    /// Appends `elements` to `list`; copies no elements if one of the two arrays is empty, as is usual.
    private static func append<Element>(_ elements: [Element], to list: inout [Element]) {
        guard !elements.isEmpty else { return }
        if list.isEmpty { list = elements } else { list += elements }
    }
}

extension Step: Equatable where Write: Equatable, Work: Equatable, Effect: Equatable {}
extension Step: Sendable where Write: Sendable, Work: Sendable, Effect: Sendable {}

/// One decision of a core.
///
/// Writes and effects are separate types: an effect cannot be committed, and a write cannot be published.
public enum Decision<Write, Work, Effect> {
    case write(Write)
    case work(Work)
    case effect(Effect)
}

extension Decision: Equatable where Write: Equatable, Work: Equatable, Effect: Equatable {}
extension Decision: Hashable where Write: Hashable, Work: Hashable, Effect: Hashable {}
extension Decision: Sendable where Write: Sendable, Work: Sendable, Effect: Sendable {}
