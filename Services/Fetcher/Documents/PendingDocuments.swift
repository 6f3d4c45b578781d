// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import MessageBus
import WidgetSchema

/// The documents that are being read, and the last answers to inspections.
///
/// A requester sends a request again each second until it has an answer, with two buses at both; the request is carried
/// out once.
struct PendingDocuments {
    /// The maximum number of inspections at a time, and of answers to inspections that are kept.
    static let maximumInspections = 4

    enum Beginning {
        case begun
        /// The same request is being carried out.
        case running
        /// The same request was carried out, and its answer was lost or is on its way.
        case answered(Data)
        /// Too many inspections are in progress, or one of this host.
        case refused
    }

    private struct Pending {
        var request: IncomingRequest
        /// The host of an inspection.
        var host: String?
    }

    private var pending: [IncomingRequest.Key: Pending] = [:]
    private var answered: [(key: IncomingRequest.Key, json: Data)] = []

    /// Begins to carry out a request; `host` is nil if nothing is requested from an origin.
    mutating func begin(_ request: IncomingRequest, host: String? = nil) -> Beginning {
        let key = request.key
        if pending[key] != nil {
            // The bus of the last copy works.
            pending[key]?.request = request
            return .running
        }
        if let known = answered.first(where: { $0.key == key }) { return .answered(known.json) }
        if let host {
            let hosts = pending.values.compactMap(\.host)
            guard hosts.count < Self.maximumInspections, !hosts.contains(host) else { return .refused }
        }
        pending[key] = Pending(request: request, host: host)
        return .begun
    }

    /// Ends a request, and returns its last copy, which is the one to reply to; nil if it has ended before.
    mutating func end(_ request: IncomingRequest, _ json: Data?) -> IncomingRequest? {
        let key = request.key
        guard let ended = pending.removeValue(forKey: key) else { return nil }
        if let json, ended.host != nil {
            if answered.count == Self.maximumInspections { answered.removeFirst() }
            answered.append((key, json))
        }
        return ended.request
    }
}
