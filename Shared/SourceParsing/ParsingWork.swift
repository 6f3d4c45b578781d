// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import Glibc
public import JSON

/// A counter for the work of one parse, which also limits the processor time of the parse.
///
/// Every loop over a document adds the number of visited bytes or elements to `steps`. When the processor time is
/// exhausted, scanners behave as if the document ended, and their callers throw the error of `check(documentURL:)`.
// Safe: each parse has its own work and runs on one thread from its beginning to its end.
public final class ParsingWork: JSONReadingBudget, @unchecked Sendable {
    /// A limit of the parser; the parts of a document beyond this limit are ignored.
    public enum Limit: String, CaseIterable, Sendable {
        /// The limit of ``FeedContent/maximumItems`` items; further items are ignored.
        case items
        /// The limit of ``ItemDraft/maximumParts`` parts of the same kind in one item, such as authors.
        ///
        /// Each kind of part is counted separately. Further parts of this kind are ignored.
        case parts
        /// The limit of ``ParsedFeed/maximumTextBytes`` for one text; the rest of the text is ignored.
        case textBytes
    }

    /// The default limit for the processor time of one parse: ten times what the largest harmless document needs.
    public static let defaultProcessorTime: Duration = .seconds(5)
    /// The number of steps between two readings of the clock; this many steps take about a millisecond.
    private static let stepsPerReading = 1 << 18

    // Checking at run time that accesses to these properties do not overlap took a tenth of the time of a parse. The
    // accesses cannot overlap: no method calls another one while it changes one of these properties.
    /// The number of visited bytes and elements.
    @exclusivity(unchecked)
    public private(set) var steps = 0
    /// A Boolean value that indicates whether the processor time is exhausted.
    @exclusivity(unchecked)
    public private(set) var isExhausted = false
    /// The limits because of which parts of the document were ignored.
    public private(set) var limits: Set<Limit> = []
    private let processorTime: Duration
    private let start: Duration
    @exclusivity(unchecked)
    private var nextReading = 0

    public init(processorTime: Duration = defaultProcessorTime) {
        self.processorTime = processorTime
        start = Self.threadTime
    }

    /// Adds a number of visited bytes or elements to `steps`.
    @inline(__always)
    public func add(_ count: Int) {
        steps &+= count
        if steps >= nextReading { readClock() }
    }

    /// Records that a part of the document was ignored because of a limit.
    func reach(_ limit: Limit) { limits.insert(limit) }

    private func readClock() {
        nextReading = steps + Self.stepsPerReading
        if Self.threadTime - start >= processorTime { isExhausted = true }
    }

    /// Throws the error `tooComplex` if the processor time is exhausted.
    func check() throws(ParsingError) {
        // Include the time after the last step.
        readClock()
        guard isExhausted else { return }
        throw ParsingError(
            .tooComplex,
            "parsing the document takes more than the maximum of \(processorTime) of processor time"
        )
    }

    /// The processor time that the current thread has used so far.
    private static var threadTime: Duration {
        var time = timespec()
        guard clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0 else { return .zero }
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
