// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Glibc
import Telemetry
import Testing
import WidgetSchema

@testable import Gateway

/// Tests of the thread of the panels.
@Suite(.timeLimit(.minutes(2))) struct PanelWorkerTests {
    @Test func theGatewaysThreadDoesNotWaitForTheDiskOfThePanels() async throws {
        let world = try PanelWorld()
        // Only a gateway that has locked the folder leaves the draft where it is.
        try world.pair()
        let draft = world.folder.appending(path: "panels/pairing.json.new").path
        // A write waits until somebody reads the pipe.
        #expect(mkfifo(draft, 0o600) == 0)
        let worker = PanelWorker(gateway: world.gateway, health: GatewayHealth(world.gateway.client))
        let (answers, continuation) = AsyncStream.makeStream(of: PanelEffect.self)
        worker.answer(PanelsRequest(action: .pair)) { continuation.yield($0) }
        worker.update(at: .now)
        worker.update(at: .now)
        worker.answer(PanelsRequest(action: .list)) { continuation.yield($0) }
        #expect(world.gateway.metrics.reading().gauges["gateway.panels"] == nil)

        let reader = open(draft, O_RDONLY | O_NONBLOCK)
        #expect(reader >= 0)
        var iterator = answers.makeAsyncIterator()
        let (first, second) = (await iterator.next(), await iterator.next())
        close(reader)
        guard case .refused? = first, case .report(let report)? = second else {
            Issue.record("the answers are \(String(describing: first)) and \(String(describing: second))")
            return
        }
        #expect(report.panels.count == 2)
        #expect(world.gateway.metrics.reading().gauges["gateway.panels"] == 2)
    }
}
