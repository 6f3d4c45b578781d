// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing
import WidgetSchema

@testable import CommandLineTool

/// Tests of the lines of `tidings budget`.
@Suite struct BudgetCommandTests {
    /// Returns the lines about a destination with two widgets or fewer; `spent` has the messages of each, nil for a shared budget.
    private func text(_ kind: String, _ spent: [Int?]) throws -> String {
        let subjects = zip(["news", "blog"], spent).map { name, spent in
            DeliveryReport(
                widget: WidgetID(rawValue: name),
                state: .delivered,
                reason: "Accepted.",
                spent: spent,
                left: spent.map { 40 - $0 }
            )
        }
        let report = DestinationReport(
            destination: try #require(DestinationName(rawValue: "phone")),
            kind: kind,
            perDay: 40,
            delivered: 3,
            savedByNoData: 0,
            savedByMerging: 0,
            subjects: subjects
        )
        return BudgetCommand.text(of: report, lists: false, .plain)
    }

    @Test func theOwnersOfABudgetAreNamedIfTheyAreKnown() throws {
        #expect(try text("ntfy", [3]).contains("40 in 24 hours for each widget; 3 spent, 37 left for 1 widget"))
        #expect(try text("apns", [3, 1]).contains("40 in 24 hours for each widget; 4 spent, 76 left for 2 widgets"))
        #expect(try text("apns", [3, nil]).contains("40 in 24 hours for all widgets together; 3 spent, 37 left"))
        // Whether one widget shares its budget is not visible.
        #expect(try text("apns", [3]).contains("40 in 24 hours; 3 spent, 37 left"))
    }
}
