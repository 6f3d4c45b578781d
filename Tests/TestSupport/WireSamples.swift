// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

package import WidgetSchema

extension Display {
    /// Returns a classic phone display of at most 359 by 600 points, or what `change` makes of it.
    package static func sample(_ name: DisplayName, _ change: (inout Display) -> Void = { _ in }) -> Display {
        var display = Display(
            name: name,
            family: .todayClassic,
            mode: nil,
            width: 359,
            compactHeight: nil,
            maximumHeight: 600,
            contentSizeCategory: .large,
            scale: 2,
            insets: EdgeInsets(),
            locale: "en_US",
            timeZone: "UTC"
        )
        change(&display)
        return display
    }
}

extension Lease {
    /// Returns the lease of one source for 30 seconds.
    package static func sample(
        _ url: String = "https://example.org/feed",
        _ kind: WidgetKind = .feed,
        id: String = "n-1"
    ) -> Lease {
        guard let source = SourceID(rawValue: "0123456789abcdef"), let id = LeaseID(rawValue: id) else {
            preconditionFailure("tests give valid ids")
        }
        return Lease(id: id, source: source, url: url, parsings: [Parsing(kind: kind)], durationMilliseconds: 30_000)
    }
}

extension Update {
    /// Returns an update after a fetch of changed content, without displays, or what `change` makes of it.
    package static func sample(
        _ result: UpdateResult = .noData,
        _ reason: Reason = .sameRows,
        _ change: (inout Update) throws -> Void = { _ in }
    ) rethrows -> Update {
        var update = Update(
            result: result,
            reason: reason,
            cause: .refresh,
            outcome: .changed,
            changed: [],
            displays: [:],
            hasContent: true,
            times: CycleTimes(),
            summary: ""
        )
        try change(&update)
        return update
    }
}
