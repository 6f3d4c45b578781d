// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Storage
import Telemetry
import TestSupport
import Testing

@Suite struct StoreSizeTests {
    @Test func theSizeOfAFileIncludesItsLog() throws {
        let folder = try makeTemporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let metrics = Metrics()
        let size = try #require(StoreSize(of: "cache", in: folder.path, metrics: metrics))
        size.measure()
        #expect(metrics.reading().gauges["store.bytes"] == 0)
        try Data(count: 1000).write(to: folder.appending(path: "cache.sqlite"))
        try Data(count: 24).write(to: folder.appending(path: "cache.sqlite-wal"))
        size.measure()
        #expect(metrics.reading().gauges["store.bytes"] == 1024)
    }

    @Test func aStoreOnAServerHasNoGauge() {
        let metrics = Metrics()
        #expect(StoreSize(of: "cache", in: "postgresql://tidings@localhost/tidings", metrics: metrics) == nil)
        #expect(metrics.reading().gauges["store.bytes"] == nil)
    }
}
