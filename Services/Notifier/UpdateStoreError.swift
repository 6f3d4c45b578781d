// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// Says why the store is of no more use to this process.
enum UpdateStoreError: Error, Hashable, CustomStringConvertible {
    /// Another process took over with a higher token; this one must neither publish nor reply any more.
    case takenOver(path: String, token: Int64, owner: Int64)
    /// Another file, or none, lies in the place of the one that is open here.
    case replaced(path: String)
    /// A row is not what this program writes.
    case unreadable(path: String, widget: String, problem: String)

    /// A Boolean value that indicates whether this process must end: the store is no longer its own.
    var isTakenOver: Bool {
        switch self {
        case .takenOver, .replaced: true
        case .unreadable: false
        }
    }

    var description: String {
        switch self {
        case .takenOver(let path, let token, let owner):
            "\(path) belongs to another notifier now (token \(owner), this one has \(token)): run one per store"
        case .replaced(let path):
            "\(path) is another file now than the one that is open here, or is gone: what is written would be lost"
        case .unreadable(let path, let widget, let problem):
            "\(path): the record of widget '\(widget)' is unreadable: \(problem); restore a backup"
        }
    }
}
