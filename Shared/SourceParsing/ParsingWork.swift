// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import Glibc
public import JSON

/// A counter for the steps of one parse, which stops the parse when its processor time is exhausted.
///
/// Every loop over a document adds the bytes or elements that it visits. Scanners end a document early when the work is
/// exhausted; their callers then throw the error of `check(documentURL:)`.
// Safe: each parse has its own work and runs on one thread from its beginning to its end.
public final class ParsingWork: JSONReadingBudget, @unchecked Sendable {
    /// A limit beyond which a part of a document is ignored.
    public enum Limit: String, CaseIterable, Sendable {
        /// Items beyond ``FeedContent/maximumItems``.
        case items
        /// Authors, links or dates of an item beyond ``ItemDraft/maximumParts``.
        case parts
        /// Bytes of a text beyond ``ParsedFeed/maximumTextBytes``.
        case textBytes
    }

    /// The default processor time of one parse; the largest harmless document needs a tenth of it.
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
    /// The limits that the document reached.
    public private(set) var limits: Set<Limit> = []
    private let processorTime: Duration
    private let start: Duration
    @exclusivity(unchecked)
    private var nextReading = 0

    public init(processorTime: Duration = defaultProcessorTime) {
        self.processorTime = processorTime
        start = Self.threadTime
    }

    /// Adds visited bytes or elements.
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

    /// Throws if the work is exhausted.
    func check(documentURL: String) throws(ParsingError) {
        // Include the time after the last step.
        readClock()
        guard isExhausted else { return }
        throw ParsingError(
            kind: .tooComplex,
            message: "parsing it takes more than \(processorTime) of processor time, the maximum",
            documentURL: documentURL
        )
    }

    /// The processor time of this thread.
    private static var threadTime: Duration {
        var time = timespec()
        guard clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0 else { return .zero }
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
