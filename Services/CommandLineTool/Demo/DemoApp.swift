// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The demo's simulated app and user: the app opens documents, and the user taps on the widget `place`.
///
/// It is a value type that returns the next action and the time at which this action is due.
struct DemoApp {
    static let client = "demo"
    /// The scheme of the app's links.
    static let linkScheme = "demoapp"
    /// The pause between two actions.
    static let pause: Duration = .seconds(6)

    /// An action that the simulated app or its user performs.
    enum Action: Equatable {
        case opens(DocumentsContent)
        case tapsForTheNextFact
    }

    private static let titles = [
        "Budget 2027", "Letter to the landlord", "Garden plan", "Talk: glanceable displays", "Recipes", "Reading list",
        "Travel to Lisbon: trains, rooms, and what else to see between two meetings",
    ]

    private(set) var next: ContinuousClock.Instant
    private var step = 0

    /// Creates an app whose first document is opened at `start`.
    init(start: ContinuousClock.Instant) { next = start }

    /// Returns the action to perform at `now`, and schedules the next action after `pause`.
    ///
    /// `date` is the wall-clock time at `now`.
    mutating func play(at now: ContinuousClock.Instant, date: Instant) -> Action {
        defer {
            step += 1
            next = now + Self.pause
        }
        guard step.isMultiple(of: 2) else { return .tapsForTheNextFact }
        let opened = step / 2
        let documents = (0..<Self.titles.count).map { age in
            let number = (opened - age % Self.titles.count + Self.titles.count * 2) % Self.titles.count
            return RecentDocument(
                id: "document-\(number)",
                title: Self.titles[number],
                link: "\(Self.linkScheme)://documents/\(number)",
                openedAt: date.advanced(byMilliseconds: Int64(-age) * 3_600_000),
                icon: "doc.text"
            )
        }
        return .opens(DocumentsContent(documents: documents))
    }
}
