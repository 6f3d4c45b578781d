// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The error for data in the notifier's store that is missing or invalid.
struct UpdateStoreError: Error, Hashable, CustomStringConvertible {
    var path: String
    var widget: String
    var problem: String

    var description: String {
        let record = widget.isEmpty ? "the record of the stream" : "the record of widget '\(widget)'"
        return "\(path): \(record) is unreadable: \(problem); restore a backup"
    }
}
