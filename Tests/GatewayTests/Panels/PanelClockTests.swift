// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import TestSupport
import Testing

@testable import Gateway

/// Tests of the estimate of a panel's clock.
@Suite struct PanelClockTests {
    /// A panel with an error of its clock that is constant, and one that is drawn anew for each sleep.
    private struct Panel {
        var rate: Double
        var scatter: Double
        var offset: Double

        func slept(_ asked: Int, _ random: inout SeededGenerator) -> Duration {
            let error = rate + (scatter > 0 ? Double.random(in: -scatter...scatter, using: &random) : 0)
            return .seconds(offset + Double(asked) * (1 + error))
        }
    }

    private static let sleeps = [300, 900, 900, 1_800, 3_600, 7_200, 21_600]

    @Test(arguments: [-0.05, -0.02, 0, 0.03, 0.05], [0.0, 0.005, 0.05])
    func aSleepEndsWithinTheUncertainty(rate: Double, scatter: Double) {
        var random = SeededGenerator(seed: UInt64(1_000 + rate * 1_000) &+ UInt64(scatter * 1_000))
        let panel = Panel(rate: rate, scatter: scatter, offset: Double.random(in: 0...30, using: &random))
        var clock = PanelClock()
        var (within, count) = (0, 0)
        for sleep in 0..<400 {
            let asked = Self.sleeps[Int.random(in: 0..<Self.sleeps.count, using: &random)]
            let slept = panel.slept(asked, &random)
            let difference = abs((slept - clock.expectedSleep(.seconds(asked))) / .seconds(1))
            if sleep >= 10 {
                count += 1
                if difference <= clock.uncertainty(of: .seconds(asked)) / .seconds(1) { within += 1 }
            }
            let isTaken = clock.take(asked: .seconds(asked), slept: slept)
            #expect(isTaken, "asked \(asked), slept \(slept)")
        }
        #expect(Double(within) >= 0.92 * Double(count), "\(within) of \(count)")
    }

    @Test(arguments: [-0.05, 0.05])
    func aConstantErrorIsCorrectedAfterTenSleeps(rate: Double) {
        var random = SeededGenerator(seed: 7)
        let panel = Panel(rate: rate, scatter: 0.001, offset: 8)
        var clock = PanelClock()
        for asked in Self.sleeps + Self.sleeps {
            clock.take(asked: .seconds(asked), slept: panel.slept(asked, &random))
        }
        for wanted in [600, 3_600, 21_600] {
            let asked = clock.seconds(for: .seconds(wanted))
            let slept = panel.slept(asked, &random) / .seconds(1)
            #expect(abs(slept - Double(wanted)) <= 10 + 0.01 * Double(wanted), "\(slept) for \(wanted)")
            #expect(clock.uncertainty(of: .seconds(wanted)) <= .seconds(15 + 0.025 * Double(wanted)))
        }
    }

    @Test func aPressedButtonAndAMissedWakeChangeNothing() {
        var clock = PanelClock()
        for _ in 0..<5 { clock.take(asked: .seconds(900), slept: .seconds(915)) }
        let before = clock
        for slept in [40, 1_830] {
            let isTaken = clock.take(asked: .seconds(900), slept: .seconds(slept))
            #expect(!isTaken)
        }
        #expect(clock.expectedSleep(.seconds(900)) == before.expectedSleep(.seconds(900)))
        #expect(clock.uncertainty(of: .seconds(900)) == before.uncertainty(of: .seconds(900)))
        let isTaken = clock.take(asked: .zero, slept: .zero)
        #expect(!isTaken)
    }

    @Test func theEstimateBeginsAgainForAnotherPanel() {
        var clock = PanelClock()
        for _ in 0..<20 { clock.take(asked: .seconds(900), slept: .seconds(930)) }
        for _ in 0..<8 { clock.take(asked: .seconds(900), slept: .seconds(2_000)) }
        #expect(clock == PanelClock())
    }

    @Test func theEstimateIsStoredAsItIs() throws {
        var clock = PanelClock()
        for asked in Self.sleeps { clock.take(asked: .seconds(asked), slept: .seconds(Double(asked) * 1.03 + 9)) }
        #expect(try JSONDecoder().decode(PanelClock.self, from: JSONEncoder().encode(clock)) == clock)
    }
}
