// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// What a person's commands have set on a widget; it survives restarts.
public struct InteractionState: Codable, Hashable, Sendable {
    /// Whether "Show more" was chosen (family `todayClassic`).
    public var expanded: Bool
    /// How many values were moved on by (kind `keyValue`).
    public var position: UInt32
    /// Shuffles the order of a widget's values; chosen when the widget begins.
    public var seed: UInt32

    public init(expanded: Bool = false, position: UInt32 = 0, seed: UInt32 = 0) {
        self.expanded = expanded
        self.position = position
        self.seed = seed
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        expanded = try container.decode(Bool.self, forKey: .expanded)
        position = try container.decodeIfPresent(UInt32.self, forKey: .position) ?? 0
        seed = try container.decodeIfPresent(UInt32.self, forKey: .seed) ?? 0
    }

    /// The index of the value that is shown, out of `count` in an order shuffled by the seed; nil where there is none.
    ///
    /// The next position is that of another value wherever there are two.
    public func shownIndex(of count: Int) -> Int? {
        guard count > 0 else { return nil }
        var order = Array(0..<count)
        var generator = SplitMix64(state: UInt64(seed))
        order.shuffle(using: &generator)
        return order[Int(position) % count]
    }
}

/// Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014: the same numbers everywhere.
private struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
