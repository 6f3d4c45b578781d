// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Storage
import WidgetSchema

/// The counts of cycles and contents that a commit removed from the history.
struct Trimmed: Hashable, Sendable {
    var cycles = 0
    var contents = 0
}

/// An operation that removes, in one transaction, the cycles that exceed the limits of the history.
///
/// It also replaces the contents of sources, because contents that a source no longer has may be unused. The oldest
/// cycles of a widget are removed first, and its newest cycle is never removed. At the end of the transaction,
/// `dropContents` removes the contents that nothing refers to any more.
struct HistoryTrim {
    private(set) var trimmed = Trimmed()
    /// The stored contents of the sources in this transaction: digests by the key of a parsing.
    private var storedContents: [SourceID: [String: String]] = [:]
    /// The digests of the contents that may have lost their last reference in this transaction.
    private var loosened: Set<String> = []
    /// The maximum number of cycles of each widget, as set by `limitCycles`.
    ///
    /// `dropCycles` applies these limits and then clears them.
    private var limits: [WidgetID: Int] = [:]

    /// Sets the maximum number of a widget's cycles that `dropCycles` keeps; a `count` below 1 is treated as 1.
    mutating func limitCycles(of widget: WidgetID, to count: Int) { limits[widget] = max(count, 1) }

    /// Removes the oldest cycles of each widget that has more cycles than `limitCycles` allows.
    mutating func dropCycles(in transaction: borrowing Transaction) throws {
        let limited = limits.sorted { $0.key < $1.key }
        limits = [:]
        var cuts: [(widget: WidgetID, sequence: Int64)] = []
        try transaction.query(
            "SELECT sequence FROM cycles WHERE widget = $1 ORDER BY sequence DESC LIMIT 1 OFFSET $2",
            sets: limited.map { [.text($0.key.rawValue), .integer(Int64($0.value))] }
        ) { index, row in cuts.append((limited[index].key, try row.integer(0))) }
        try drop(cuts, in: transaction)
    }

    /// Removes a widget's cycles that were committed before `horizon`, except the widget's newest cycle.
    mutating func removeCycles(
        of widget: WidgetID,
        before horizon: Instant,
        in transaction: borrowing Transaction
    ) throws {
        let newestOld = try transaction.query(
            """
            SELECT MAX(sequence) FROM cycles WHERE widget = $1 AND at < $2
            AND sequence < (SELECT MAX(sequence) FROM cycles WHERE widget = $1)
            """,
            [.text(widget.rawValue), .integer(horizon.milliseconds)]
        ) { row in try row.optionalInteger(0) }.first
        if case .some(.some(let newestOld)) = newestOld { try drop([(widget, newestOld)], in: transaction) }
    }

    /// Removes the oldest cycles of these widgets until the contents of the remaining cycles have at most `limit` bytes
    /// in total.
    ///
    /// A content that several cycles share counts once. The newest cycle of each widget is kept even if the limit is
    /// exceeded.
    mutating func trimContents(of widgets: [WidgetID], to limit: Int, in transaction: borrowing Transaction) throws {
        var cycles: [(at: Int64, widget: WidgetID, sequence: Int64, content: String, bytes: Int64)] = []
        var newest: [WidgetID: Int64] = [:]
        for widget in widgets {
            try transaction.query(
                """
                SELECT cycles.at, cycles.sequence, cycles.content, LENGTH(contents.bytes)
                FROM cycles JOIN contents ON contents.digest = cycles.content
                WHERE cycles.widget = $1
                """,
                [.text(widget.rawValue)]
            ) { row in
                cycles.append(
                    (try row.integer(0), widget, try row.integer(1), try row.text(2), try row.integer(3))
                )
            }
            newest[widget] =
                try transaction.query(
                    "SELECT MAX(sequence) FROM cycles WHERE widget = $1",
                    [.text(widget.rawValue)]
                ) { row in try row.optionalInteger(0) }.first ?? nil
        }
        // The newest cycle of each widget is always kept. The others are kept from the latest to the oldest, while they
        // fit.
        cycles.sort { first, second in
            let (isFirstNewest, isSecondNewest) = (
                newest[first.widget] == first.sequence, newest[second.widget] == second.sequence
            )
            if isFirstNewest != isSecondNewest { return isFirstNewest }
            return (first.at, first.sequence) > (second.at, second.sequence)
        }
        var counted: Set<String> = []
        var total: Int64 = 0
        var cuts: [WidgetID: Int64] = [:]
        for cycle in cycles {
            let isKeptAnyway = newest[cycle.widget] == cycle.sequence
            // All cycles that are older than a removed one are removed too, so that the history has no gap.
            guard isKeptAnyway || cuts[cycle.widget] == nil, !counted.contains(cycle.content) else { continue }
            if !isKeptAnyway, total + cycle.bytes > limit {
                cuts[cycle.widget] = cycle.sequence
            } else {
                counted.insert(cycle.content)
                total += cycle.bytes
            }
        }
        try drop(cuts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }, in: transaction)
    }

    /// Reads the stored contents of these sources, which `replaceContents` compares with the new ones.
    ///
    /// Must be called before the contents of the sources change.
    mutating func readContents(of sources: [SourceID], in transaction: borrowing Transaction) throws {
        try transaction.query(
            "SELECT parsing, digest FROM source_contents WHERE source = $1",
            sets: sources.map { [.text($0.rawValue)] }
        ) { index, row in storedContents[sources[index], default: [:]][try row.text(0)] = try row.text(1) }
    }

    /// Stores the contents of a source, which are digests by the key of a parsing, and deletes its other contents.
    ///
    /// Rows that stay the same are not written: most fetches change nothing.
    mutating func replaceContents(
        of source: SourceID,
        by contents: [String: ContentDigest],
        in transaction: borrowing Transaction
    ) throws {
        let before = storedContents[source] ?? [:]
        for (parsing, digest) in before.sorted(by: { $0.key < $1.key }) where contents[parsing]?.rawValue != digest {
            loosened.insert(digest)
            guard contents[parsing] == nil else { continue }
            try transaction.enqueue(
                "DELETE FROM source_contents WHERE source = $1 AND parsing = $2",
                [.text(source.rawValue), .text(parsing)]
            )
        }
        for (parsing, digest) in contents.sorted(by: { $0.key < $1.key }) where before[parsing] != digest.rawValue {
            try transaction.enqueue(
                """
                INSERT INTO source_contents (source, parsing, digest) VALUES ($1, $2, $3)
                ON CONFLICT (source, parsing) DO UPDATE SET digest = excluded.digest
                """,
                [.text(source.rawValue), .text(parsing), .text(digest.rawValue)]
            )
        }
    }

    /// Removes the contents in `loosened`, except those to which a cycle or a source still refers.
    mutating func dropContents(in transaction: borrowing Transaction) throws {
        trimmed.contents += try transaction.execute(
            """
            DELETE FROM contents WHERE digest = $1
            AND NOT EXISTS (SELECT 1 FROM cycles WHERE content = $1)
            AND NOT EXISTS (SELECT 1 FROM source_contents WHERE digest = $1)
            """,
            sets: loosened.sorted().map { [.text($0)] }
        )
        loosened = []
    }

    /// Removes, for each pair in `cuts`, the widget's cycles with sequence numbers up to and including `sequence`.
    private mutating func drop(
        _ cuts: [(widget: WidgetID, sequence: Int64)],
        in transaction: borrowing Transaction
    ) throws {
        let sets: [[SQLValue]] = cuts.map { [.text($0.widget.rawValue), .integer($0.sequence)] }
        try transaction.query(
            "SELECT DISTINCT content FROM cycles WHERE widget = $1 AND sequence <= $2 AND content IS NOT NULL",
            sets: sets
        ) { _, row in _ = loosened.insert(try row.text(0)) }
        trimmed.cycles += try transaction.execute(
            "DELETE FROM cycles WHERE widget = $1 AND sequence <= $2",
            sets: sets
        )
    }
}
