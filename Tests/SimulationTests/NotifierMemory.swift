// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

@testable import Notifier

/// The notifier's store: the committed data and its owner.
final class NotifierMemory {
    struct Tables {
        var positions: [WidgetID: WidgetPosition] = [:]
        var updates: [WidgetID: [StoredUpdate]] = [:]
    }

    var tables = Tables()
    private(set) var owner = 0
    private var backups: [Tables] = []

    func takeOver() -> Int {
        owner += 1
        return owner
    }

    func backUp() { backups.append(tables) }

    func putBack(_ age: Int?) {
        owner += 1
        guard let age, !backups.isEmpty else {
            tables = Tables()
            return
        }
        tables = backups[max(0, backups.count - 1 - age)]
    }
}
