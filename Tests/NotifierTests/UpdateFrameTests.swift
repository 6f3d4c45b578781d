// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import TestSupport
import Testing
import WidgetSchema

@testable import Notifier

@Suite struct UpdateFrameTests {
    private func event() throws -> Event<Update> {
        let name = try display("compact")
        let changes = RowChanges(from: try digest(of: "a"), inserted: Array(0..<40), deleted: [])
        let update = try Update.sample(.failed, .transient) { update in
            update.outcome = .failed
            update.failure = AttemptFailure(class: .transient, message: String(repeating: "m", count: 2000))
            update.displays = [name: DisplayState(digest: try digest(of: "b"), height: 110, rowChanges: changes)]
            update.summary = String(repeating: "s", count: 2000)
        }
        return Event(.update(.failed, blog), widget: blog, range: try range(1, 1), time: at(0), data: update)
    }

    @Test func anUpdateThatFitsIsLeftAlone() throws {
        let event = try event()
        let (bytes, shortenedFrom) = try UpdateFrame.encode(event)
        #expect(try WireJSON.decode(Event<Update>.self, from: bytes) == event)
        #expect(shortenedFrom == nil)
    }

    @Test func rowChangesGoFirstThenTheTextsAndTheVerdictStays() throws {
        let event = try event()
        let whole = try WireJSON.encode(event).count
        let (bytes, shortenedFrom) = try UpdateFrame.encode(event, limit: whole - 1)
        #expect(shortenedFrom == whole)
        let first = try WireJSON.decode(Event<Update>.self, from: bytes)
        #expect(first.data.displays.values.allSatisfy { $0.rowChanges == nil })
        #expect(first.data.summary == event.data.summary)

        let (shortest, _) = try UpdateFrame.encode(event, limit: 1500)
        #expect(shortest.count <= 1500)
        let second = try WireJSON.decode(Event<Update>.self, from: shortest)
        #expect(second.data.result == .failed && second.data.displays.count == 1)
    }
}
