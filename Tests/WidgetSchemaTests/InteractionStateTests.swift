// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import TestSupport
import Testing
import WidgetSchema

@Suite struct InteractionStateTests {
    private static let keys = ["city", "country", "ip", "loc", "org", "postal", "timezone"]

    private func display(_ name: String, _ family: Display.Family, _ mode: Display.Mode? = nil) throws -> Display {
        .sample(try #require(DisplayName(rawValue: name))) { ($0.family, $0.mode) = (family, mode) }
    }

    @Test(arguments: [UInt32(0), 1, 4711, .max])
    func everyValueIsShownOnceInEachRound(seed: UInt32) {
        let round = (0..<7).compactMap { InteractionState(position: $0, seed: seed).shownIndex(among: Self.keys) }
        #expect(round.sorted() == Array(0..<7))
        #expect(InteractionState(position: 7, seed: seed).shownIndex(among: Self.keys) == round.first)
    }

    @Test func theNextPositionShowsAnotherValue() {
        for seed in UInt32(0)..<100 {
            for position in UInt32(0)..<10 {
                let shown = InteractionState(position: position, seed: seed).shownIndex(among: ["a", "b"])
                #expect(shown != InteractionState(position: position + 1, seed: seed).shownIndex(among: ["a", "b"]))
            }
        }
    }

    @Test func seedsGiveDifferentOrders() {
        let keys = (0..<10).map { "key \($0)" }
        let orders = Set(
            (UInt32(0)..<50).map { seed in
                (UInt32(0)..<10).map { InteractionState(position: $0, seed: seed).shownIndex(among: keys) }
            }
        )
        #expect(orders.count > 45)
    }

    @Test func nothingIsShownOfNoValues() { #expect(InteractionState().shownIndex(among: []) == nil) }

    @Test(arguments: 0..<20) func keysThatComeAndGoDoNotMoveTheShownOne(seed: UInt32) throws {
        var state = InteractionState(seed: seed)
        state.settle(among: Self.keys)
        state.advance(among: Self.keys)
        let shown = try #require(state.shownKey)
        let others = Self.keys.filter { $0 != shown }
        for keys in [others + [shown], ["new", "newer"] + Self.keys, [shown], [others[0], shown, "newest"]] {
            state.settle(among: keys)
            #expect(state.shownIndex(among: keys).map { keys[$0] } == shown)
        }
        // Its place is taken while it is gone, and it comes back.
        state.settle(among: others)
        #expect(state.shownIndex(among: others) != nil)
        state.settle(among: Self.keys)
        #expect(state.shownIndex(among: Self.keys).map { Self.keys[$0] } == shown)
    }

    @Test(arguments: 0..<20) func movingOnShowsEveryKeyAlsoFromOneThatIsGone(seed: UInt32) {
        var state = InteractionState(seed: seed, shownKey: "gone")
        var shown: [String] = []
        for _ in Self.keys {
            state.advance(among: Self.keys)
            shown.append(state.shownKey ?? "")
        }
        #expect(Set(shown) == Set(Self.keys))
    }

    @Test func aDeviceHasAStateOfItsOwnInBothModes() throws {
        let (phone, wall) = (try #require(DisplayName(rawValue: "phone")), try display("wall", .panel))
        let modes = [try display("phone-compact", .today, .compact), try display("phone-expanded", .today, .expanded)]
        var state = InteractionState(seed: 3)
        state.settle(among: Self.keys)
        let before = state.shownKey
        state.advance(among: Self.keys, on: phone)
        state.setExpanded(true, on: phone)
        for mode in modes {
            #expect(mode.device == phone)
            #expect(state.on(mode).shownKey != before)
            #expect(state.on(mode).expanded)
        }
        #expect(state.on(wall).shownKey == before)
        #expect(!state.on(wall).expanded)
    }

    @Test func aChangeOfAllDisplaysReachesThoseWithAStateOfTheirOwn() throws {
        let phone = try display("phone", .todayClassic)
        var state = InteractionState()
        state.advance(among: Self.keys, on: phone.device)
        let own = state.on(phone).shownKey
        state.setExpanded(true, on: nil)
        state.advance(among: Self.keys)
        #expect(state.on(phone).expanded)
        #expect(state.on(phone).shownKey != own)
        state.keep(devicesOf: [])
        #expect(state.displays == nil)
    }

    @Test func aNameThatOnlyLooksLikeAModeIsADeviceOfItsOwn() throws {
        #expect(try display("shelf-compact", .panel).device.rawValue == "shelf-compact")
    }
}
