// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import Dispatch
internal import Locking

/// A bounded queue whose readers are threads that block or tasks that await.
///
/// `offer` rejects new elements when the queue is full; `post` ignores the limits.
public final class Inbox<Element: Sendable>: Sendable {
    private struct Entry {
        let element: Element
        let bytes: Int
    }

    private enum Wait {
        /// A task that waits in `next`.
        case task(CheckedContinuation<Void, Never>)
        /// A thread that waits in `nextBatch`; a shared semaphore could wake another one than the reader that was taken.
        case thread(DispatchSemaphore)
    }

    private struct Reader {
        let id: UInt64
        let wait: Wait
    }

    private struct State {
        var entries: [Entry] = []
        var head = 0
        var bytes = 0
        /// The waiting readers, in the order in which they are woken.
        var readers: [Reader] = []
        var lastReader: UInt64 = 0
        /// The number of calls of `nextBatch` by threads.
        var batches: UInt64 = 0
        var isFinished = false

        mutating func makeReader() -> UInt64 {
            lastReader += 1
            return lastReader
        }

        mutating func takeReader() -> Reader? { readers.isEmpty ? nil : readers.remove(at: 0) }

        @discardableResult
        mutating func removeReader(_ id: UInt64) -> Reader? {
            readers.firstIndex { $0.id == id }.map { readers.remove(at: $0) }
        }

        var count: Int { entries.count - head }

        mutating func take(_ maximum: Int) -> [Element] {
            let end = min(entries.count, head + maximum)
            let taken = entries[head..<end].map { entry in
                bytes -= entry.bytes
                return entry.element
            }
            head = end
            if head == entries.count {
                entries.removeAll(keepingCapacity: head <= Inbox.keptCapacity)
                head = 0
            } else if head > entries.count / 2 {
                entries.removeFirst(head)
                head = 0
            }
            return taken
        }
    }

    private static var keptCapacity: Int { 4096 }

    private let maximumCount: Int
    private let maximumBytes: Int
    private let state = Lock(State())

    public init(maximumCount: Int, maximumBytes: Int) {
        self.maximumCount = maximumCount
        self.maximumBytes = maximumBytes
    }

    /// Appends an element, even if the queue is full; does nothing after `finish`.
    ///
    /// The element counts as one element and 0 bytes when `offer` checks the limits.
    public func post(_ element: Element) {
        append(element, bytes: 0, limited: false)
    }

    /// Appends an element and returns true; returns false if the queue is full or `finish` was called.
    ///
    /// `bytes` is the size of the element. The queue is full if the new element would exceed `maximumCount` elements or
    /// `maximumBytes` bytes in total.
    public func offer(_ element: Element, bytes: Int) -> Bool {
        append(element, bytes: bytes, limited: true)
    }

    @discardableResult
    private func append(_ element: Element, bytes: Int, limited: Bool) -> Bool {
        let (taken, reader) = state.withLock { state -> (Bool, Reader?) in
            if state.isFinished { return (false, nil) }
            if limited && (state.count >= maximumCount || state.bytes + bytes > maximumBytes) { return (false, nil) }
            state.entries.append(Entry(element: element, bytes: bytes))
            state.bytes += bytes
            return (true, state.takeReader())
        }
        wake(reader)
        return taken
    }

    /// Ends the queue, so that no further elements can be added.
    ///
    /// If `dropsElements` is true, the waiting elements are removed. If it is false, they can still be read.
    public func finish(dropsElements: Bool = false) {
        let readers = state.withLock { state in
            state.isFinished = true
            if dropsElements { (state.entries, state.head, state.bytes) = ([], 0, 0) }
            defer { state.readers = [] }
            return state.readers
        }
        for reader in readers { wake(reader) }
    }

    private func wake(_ reader: Reader?) {
        switch reader?.wait {
        case .task(let task): task.resume()
        case .thread(let semaphore): semaphore.signal()
        case nil: break
        }
    }

    /// The state of the thread that reads this inbox by calling `nextBatch`.
    ///
    /// If only tasks read the inbox, `batches` in the result is 0.
    package var reading: ReaderWatch.Reading {
        state.withLock { ReaderWatch.Reading(batches: $0.batches, isWaiting: !$0.readers.isEmpty) }
    }

    /// Blocks the calling thread until there is an element, and takes up to `maximum` elements.
    ///
    /// Returns an empty array if `deadline` passes first, or if the queue is empty after `finish`. A `deadline` of nil
    /// means no time limit. Never call this function on Swift's cooperative threads.
    public func nextBatch(maximum: Int, until deadline: ContinuousClock.Instant?) -> [Element] {
        let id = state.withLock { state in
            state.batches += 1
            return state.makeReader()
        }
        let semaphore = DispatchSemaphore(value: 0)
        while true {
            let taken = state.withLock { state -> [Element]? in
                if state.count > 0 || state.isFinished { return state.take(maximum) }
                state.readers.append(Reader(id: id, wait: .thread(semaphore)))
                return nil
            }
            if let taken { return taken }
            guard let deadline else {
                semaphore.wait()
                continue
            }
            let remaining = deadline - .now
            guard remaining > .zero, semaphore.wait(timeout: .now() + remaining.dispatchInterval) == .success else {
                return state.withLock { state in
                    state.removeReader(id)
                    return state.take(maximum)
                }
            }
        }
    }

    /// Waits for the next element; returns nil if the queue is empty after `finish`, or if the task is cancelled.
    public func next() async -> Element? {
        while !Task.isCancelled {
            let (element, isFinished, id) = state.withLock { state in
                (state.take(1).first, state.isFinished, state.makeReader())
            }
            if element != nil || isFinished { return element }
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let isDue = state.withLock { state in
                        if state.count > 0 || state.isFinished || Task.isCancelled { return true }
                        state.readers.append(Reader(id: id, wait: .task(continuation)))
                        return false
                    }
                    if isDue { continuation.resume() }
                }
            } onCancel: {
                wake(state.withLock { $0.removeReader(id) })
            }
        }
        // This cancelled reader may have been woken for an element; the next reader is then woken instead.
        wake(state.withLock { $0.count > 0 ? $0.takeReader() : nil })
        return nil
    }
}

extension Duration {
    var dispatchInterval: DispatchTimeInterval {
        .nanoseconds(Int(clamping: wholeNanoseconds))
    }

    private var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return overflow ? (seconds < 0 ? .min : .max) : product &+ attoseconds / 1_000_000_000
    }

    /// The duration in milliseconds, rounded up so that a wait does not end too early.
    package var millisecondsRoundedUp: Int {
        let nanoseconds = wholeNanoseconds
        return Int(nanoseconds / 1_000_000) + (nanoseconds % 1_000_000 > 0 ? 1 : 0)
    }
}
