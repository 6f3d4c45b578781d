// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

extension OwnerRow {
    /// The maximum of a token and of a count; a higher number could not be incremented for long.
    private static let maximum: Int64 = 1 << 62

    /// Returns the checks of the rows of `tables`.
    static func checks(of service: String) -> [TableCheck] {
        [
            TableCheck(table, ["service", "token", "commits", "place"]) { row in
                try expect(service, try row.text(0), in: "owner.service")
                try expectCount(try row.integer(1), in: "owner.token")
                try expectCount(try row.integer(2), in: "owner.commits")
                _ = try row.optionalText(3)
            },
            TableCheck(leaseTable, ["service", "renewals"]) { row in
                try expect(service, try row.text(0), in: "owner_lease.service")
                // The number is negative after a release.
                try expectCount(Int64(clamping: try row.integer(1).magnitude), in: "owner_lease.renewals")
            },
            TableCheck("fence", ["held"]) { _ in
                throw CorruptStore(column: "fence.held", problem: "the table must be empty")
            },
        ]
    }

    private static func expect(_ service: String, _ found: String, in column: String) throws(CorruptStore) {
        guard found == service else {
            throw CorruptStore(column: column, problem: "'\(found)' instead of '\(service)'")
        }
    }

    private static func expectCount(_ count: Int64, in column: String) throws(CorruptStore) {
        guard (0...maximum).contains(count) else { throw CorruptStore(column: column, problem: "\(count)") }
    }
}
