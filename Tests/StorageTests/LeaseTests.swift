// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing

@testable import Storage

@Suite struct OwnerClaimTests {
    @Test func theLatestPrimaryDecidesWhoOwnsAStore() {
        let claim = OwnerClaim(token: 7, place: "0000000A")
        #expect(claim.check(owner: 7, place: "0000000A") == .unchanged)
        #expect(claim.check(owner: 8, place: "0000000A") == .takenOver)
        #expect(claim.check(owner: nil, place: "0000000A") == .takenOver)
        #expect(claim.check(owner: 7, place: "0000000B") == .promoted(known: "0000000A", current: "0000000B"))
        #expect(claim.check(owner: 8, place: "0000000B") == .takenOver)
        let former = OwnerClaim.Finding.formerPrimary(known: "0000000A", current: "00000009")
        #expect(claim.check(owner: 7, place: "00000009") == former)
        #expect(claim.check(owner: 6, place: "00000009") == former, "a former primary may not know the owner")
    }

    @Test func aServerWithoutATimelineIsAlwaysTheSame() {
        #expect(OwnerClaim(token: 1, place: nil).check(owner: 1, place: "00000002") == .unchanged)
        #expect(OwnerClaim(token: 1, place: "00000002").check(owner: 1, place: nil) == .unchanged)
        #expect(OwnerClaim(token: 1, place: nil).check(owner: 2, place: nil) == .takenOver)
    }

    @Test func tokensOfALaterTimelineAreHigherThanAnyOfAnEarlierOne() {
        #expect(OwnerClaim.firstToken(timeline: 0) == 1)
        #expect(OwnerClaim.firstToken(timeline: 1) == 1)
        #expect(OwnerClaim.firstToken(timeline: 2) == 1 << 32)
        #expect(OwnerClaim.firstToken(timeline: 3) - OwnerClaim.firstToken(timeline: 2) == 1 << 32)
        #expect(OwnerClaim.firstToken(timeline: .max) > OwnerClaim.firstToken(timeline: 1 << 30))
    }
}

@Suite struct LeaseTests {
    private let begin = ContinuousClock.now

    private func at(_ milliseconds: Int64) -> ContinuousClock.Instant { begin + .milliseconds(milliseconds) }

    private func state(_ token: Int64 = 1, commits: Int64 = 1, renewals: Int64 = 1) -> OwnerState {
        OwnerState(token: token, commits: commits, renewals: renewals)
    }

    @Test func aLeaseIsTrustedUntilASecondBeforeAStandbyTakesOver() {
        var lease = StoreLease(duration: .seconds(3), takenAt: at(0))
        #expect(lease.trustedUntil == at(2000))
        #expect(lease.renewalDue == at(1000))
        lease.renew(begunAt: at(700))
        #expect(lease.trustedUntil == at(2700))
        lease.attempt(at: at(1700))
        #expect(lease.trustedUntil == at(2700))
        #expect(lease.renewalDue == at(2700))
    }

    /// A standby that looks at an owner, with a lease of 3 s.
    private final class Standby {
        private let begin = ContinuousClock.now
        private var watch = LeaseWatch(duration: .seconds(3))

        func look(_ owner: OwnerState?, begunAt: Int64, endedAt: Int64) -> Bool {
            watch.look(owner, begunAt: begin + .milliseconds(begunAt), endedAt: begin + .milliseconds(endedAt))
        }

        /// Looks at the same owner each second from one time to another, and returns the last answer.
        func look(_ owner: OwnerState?, from: Int64, to: Int64) -> Bool {
            stride(from: from, through: to, by: 1000).map { look(owner, begunAt: $0, endedAt: $0) }.last ?? false
        }

        func fail() { watch.lookFailed() }
    }

    @Test func aStoreIsFreeWhenNothingChangedForTheWholeDuration() {
        let watch = Standby()
        #expect(!watch.look(state(), begunAt: 0, endedAt: 100))
        #expect(!watch.look(state(), from: 1099, to: 3099))
        #expect(watch.look(state(), begunAt: 3100, endedAt: 9000))
    }

    @Test func eachSignOfTheOwnerBeginsTheWaitAnew() {
        for changed in [state(2), state(commits: 2), state(renewals: 2)] {
            let watch = Standby()
            #expect(!watch.look(state(), from: 0, to: 2000))
            #expect(!watch.look(changed, from: 3000, to: 5000))
            #expect(watch.look(changed, from: 6000, to: 6000))
        }
    }

    @Test func aStandbyThatWasSuspendedBeginsTheWaitAnew() {
        let watch = Standby()
        #expect(!watch.look(state(), from: 0, to: 1000))
        #expect(!watch.look(state(), from: 100_000, to: 102_000))
        #expect(watch.look(state(), from: 103_000, to: 103_000))
    }

    @Test func aStoreThatCouldNotBeReadBeginsTheWaitAnew() {
        let watch = Standby()
        #expect(!watch.look(state(), from: 0, to: 2000))
        watch.fail()
        #expect(!watch.look(state(), from: 3000, to: 5000))
        #expect(watch.look(state(), from: 6000, to: 6000))
    }

    @Test func aStoreWithoutOwnerOrReleasedByItIsFreeAtOnce() {
        let watch = Standby()
        #expect(watch.look(nil, begunAt: 0, endedAt: 0))
        #expect(watch.look(state(renewals: -2), begunAt: 0, endedAt: 0))
    }
}
