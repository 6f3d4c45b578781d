// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// A request to the bus itself.
///
/// It is decoded in one pass to save time, because most of these requests are heartbeats.
enum OwnRequest: Decodable {
    case register(RegisterRequest)
    case health
    case unknown(name: String)

    init(from decoder: any Decoder) throws {
        let name = try RequestFields(from: decoder).request
        switch name {
        case RegisterRequest.name: self = .register(try RegisterRequest(from: decoder))
        case HealthRequest.name: self = .health
        default: self = .unknown(name: name)
        }
    }
}
