// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The error for data in the notifier's store that is missing or invalid.
struct NotifierStoreError: Error, Hashable, CustomStringConvertible {
    /// The path of the database; nil while a copy is checked, which has no remedy of its own.
    var path: String?
    var widget: String
    var problem: String

    var description: String {
        let record = widget.isEmpty ? "the record of the stream" : "the record of widget '\(widget)'"
        let text = "\(record) is unreadable: \(problem)"
        return path.map { "\($0): \(text); restore a backup" } ?? text
    }
}
