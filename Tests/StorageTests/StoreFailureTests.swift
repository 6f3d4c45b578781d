// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import ServiceEngine
import Testing

@testable import Storage

/// The class of a store's error decides whether a service ends or loads its state again.
@Suite struct StoreFailureTests {
    private struct DiskFull: Error {}

    @Test func onlyAStoreThatWasTakenOverEndsTheService() {
        let lost = StoreTakenOver(path: "cache.db", service: "cache", token: 1, owner: 2)
        let taken = #expect(throws: StoreFailure.self) { try StoreFailure.classifying { throw lost } }
        guard case .takenOver(let reason)? = taken else {
            Issue.record("\(String(describing: taken))")
            return
        }
        #expect(reason as? StoreTakenOver == lost)
        let discarded = #expect(throws: StoreFailure.self) { try StoreFailure.classifying { throw DiskFull() } }
        guard case .discard(let reason)? = discarded else {
            Issue.record("\(String(describing: discarded))")
            return
        }
        #expect(reason is DiskFull)
    }

    @Test func aResultIsReturnedUnchanged() throws { #expect(try StoreFailure.classifying { 42 } == 42) }
}
