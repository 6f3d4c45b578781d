// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WidgetSchema

/// The names of widgets and boards that people see.
struct SubjectNames: Sendable, Equatable {
    var widgets: [WidgetID: String] = [:]

    subscript(subject: DeliverySubject) -> String {
        switch subject {
        case .widget(let id): widgets[id] ?? id.rawValue
        case .board(let id): id.rawValue
        }
    }
}

/// The title and the text of a notification.
struct MessageText: Hashable, Sendable {
    var title: String
    var text: String

    /// Creates the texts for a message; `title` is the configured one, nil for the name of the widget or board.
    init(_ attempt: DeliveryAttempt, _ names: SubjectNames, title: String?) {
        self.title = title ?? names[attempt.subject]
        switch attempt.subject {
        case .board: text = "The board \(names[attempt.subject]) has changed."
        case .widget:
            let update = try? WireJSON.decode(Event<Update>.self, from: attempt.body).data
            text = Self.text(update, names[attempt.subject])
        }
    }

    private static func text(_ update: Update?, _ name: String) -> String {
        guard let update else { return "\(name) has changed." }
        if update.reason == .removed { return "\(name) was removed." }
        if update.result == .failed { return update.failure?.message ?? "\(name) cannot be refreshed." }
        return update.summary.isEmpty ? "\(name) has changed." : update.summary
    }

    /// Returns a text of at most `maximum` bytes; one that is longer ends with an ellipsis.
    static func cut(_ text: String, toBytes maximum: Int) -> String {
        guard text.utf8.count > maximum else { return text }
        var result = ""
        let mark = "…"
        var bytes = mark.utf8.count
        for character in text {
            bytes += character.utf8.count
            if bytes > maximum { break }
            result.append(character)
        }
        return result + mark
    }
}
