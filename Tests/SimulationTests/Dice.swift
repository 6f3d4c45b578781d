// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import TestSupport

/// A random number generator that gives the same numbers for the same seed.
///
/// Each kind of fault has its own generator, so that switching off one kind does not change the others.
final class Dice {
    private var generator: SeededGenerator

    init(seed: UInt64, stream: UInt64) {
        generator = SeededGenerator(seed: seed &* 0x9e37_79b9_7f4a_7c15 ^ (stream &+ 1) &* 0xd1b5_4a32_d192_ed03)
        for _ in 0..<3 { _ = next() }
    }

    private func next() -> UInt64 { generator.next() }

    /// Returns a number from 0 to below 1.
    func fraction() -> Double { Double(next() >> 11) / Double(1 << 53) }

    func chance(_ probability: Double) -> Bool { fraction() < probability }

    func number(_ range: ClosedRange<Int64>) -> Int64 {
        range.lowerBound + Int64(next() % UInt64(range.upperBound - range.lowerBound + 1))
    }

    func pick<Element>(_ choices: [Element]) -> Element { choices[Int(next() % UInt64(choices.count))] }
}
