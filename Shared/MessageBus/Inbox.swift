// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import Dispatch
internal import Synchronization

/// A queue with any number of writers and one reader, which is a thread that blocks or a task that awaits.
///
/// What is offered counts against the limits and is refused beyond them, the newest first; what is posted always
/// fits.
public final class Inbox<Element: Sendable>: Sendable {
    private struct Entry {
        let element: Element
        let bytes: Int
    }

    private enum Reader {
        case thread
        case task(CheckedContinuation<Void, Never>)
    }

    private struct State {
        var entries: [Entry] = []
        var head = 0
        var bytes = 0
        var reader: Reader?
        var isFinished = false

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
    private let state = Mutex(State())
    private let semaphore = DispatchSemaphore(value: 0)

    public init(maximumCount: Int, maximumBytes: Int) {
        self.maximumCount = maximumCount
        self.maximumBytes = maximumBytes
    }

    /// Puts it last, whatever the limits say; after the end nothing more is taken.
    public func post(_ element: Element) {
        append(element, bytes: 0, limited: false)
    }

    /// Puts it last, if there is room.
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
            return (true, state.reader.take())
        }
        wake(reader)
        return taken
    }

    /// Ends the queue: what is in it can still be read.
    public func finish() {
        wake(
            state.withLock { state in
                state.isFinished = true
                return state.reader.take()
            }
        )
    }

    private func wake(_ reader: Reader?) {
        switch reader {
        case .thread: semaphore.signal()
        case .task(let continuation): continuation.resume()
        case nil: break
        }
    }

    /// How many elements wait.
    public var count: Int { state.withLock(\.count) }

    /// Blocks the calling thread until something is there, and takes up to `maximum` of it.
    ///
    /// Empty when the deadline passed first, or after the end. Never call it on Swift's cooperative threads.
    public func nextBatch(maximum: Int, until deadline: ContinuousClock.Instant?) -> [Element] {
        while true {
            let taken = state.withLock { state -> [Element]? in
                if state.count > 0 || state.isFinished { return state.take(maximum) }
                state.reader = .thread
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
                    state.reader = nil
                    return state.take(maximum)
                }
            }
        }
    }

    /// Awaits the next element; nil after the end, or when the task is cancelled.
    public func next() async -> Element? {
        while !Task.isCancelled {
            let (element, isFinished) = state.withLock { state in
                (state.take(1).first, state.isFinished)
            }
            if element != nil || isFinished { return element }
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let isDue = state.withLock { state in
                        if state.count > 0 || state.isFinished || Task.isCancelled { return true }
                        state.reader = .task(continuation)
                        return false
                    }
                    if isDue { continuation.resume() }
                }
            } onCancel: {
                wake(state.withLock { $0.reader.take() })
            }
        }
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

    /// Whole milliseconds, rounded up, so that a wait of them does not end too early.
    package var millisecondsRoundedUp: Int {
        let nanoseconds = wholeNanoseconds
        return Int(nanoseconds / 1_000_000) + (nanoseconds % 1_000_000 > 0 ? 1 : 0)
    }
}
