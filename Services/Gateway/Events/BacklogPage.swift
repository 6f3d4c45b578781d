// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import MessageBus
import WidgetSchema

/// The notifier's answer to a request for the updates after a position.
enum BacklogPage: Sendable {
    typealias Read = @Sendable (StreamOffset) async -> BacklogPage

    /// The stored updates after the requested position, up to and including the position `upTo`, in ascending order.
    ///
    /// `isLast` is false if the notifier has further updates, on another page.
    case updates([StreamedUpdate], upTo: StreamOffset, isLast: Bool)
    /// The notifier's stream does not contain the requested position.
    case unknown
    /// The notifier did not answer, or it rejected the request for a reason other than an unknown position.
    case unavailable

    /// Creates a page from the notifier's answer to a request for the updates after the position `since`.
    init(_ page: Records<Update>, since: StreamOffset) {
        guard page.end.map({ $0.epoch == since.epoch }) ?? true else {
            self = .unknown
            return
        }
        let updates = page.records.filter { $0.offset?.epoch == since.epoch }
            .compactMap { StreamedUpdate($0.coveringNewData) }
        let last = updates.last.map { StreamOffset(epoch: since.epoch, number: $0.offset) } ?? since
        let isLast = !page.more || updates.isEmpty
        if !page.more, let end = page.end, end.number > last.number {
            self = .updates(updates, upTo: end, isLast: isLast)
        } else {
            self = .updates(updates, upTo: last, isLast: isLast)
        }
    }

    /// Returns a function that requests a page from the notifier over the bus.
    static func pageRequester(_ client: BusClient, timeout: Duration) -> Read {
        { since in
            do {
                let page = try await client.ask(
                    RequestTarget(.notifier),
                    UpdatesRequest(since: since),
                    deadline: timeout,
                    waitsForService: false
                ).result
                return BacklogPage(page, since: since)
            } catch let error as RequestError where error.code == .notFound {
                return .unknown
            } catch {
                return .unavailable
            }
        }
    }
}
