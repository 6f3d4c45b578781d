// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

extension TextStyle {
    /// Returns a line for each name with its value; all values begin in the same column.
    func rows(_ rows: [(name: String, value: String)], indent: Int = 0) -> String {
        let width = (rows.map(\.name.count).max() ?? 0) + TextColumns.gap
        return rows.map { name, value in
            String(repeating: " ", count: indent) + text(name, .faint)
                + String(repeating: " ", count: width - name.count) + value + "\n"
        }.joined()
    }
}
