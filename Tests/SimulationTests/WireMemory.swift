// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WidgetSchema

/// A cache of decoded values, so that bytes on the wire are decoded once for all receivers.
struct WireMemory<Value: Decodable> {
    private static var kept: Int { 256 }

    private var values: [Data: Value] = [:]

    mutating func read(_ bytes: Data) -> Value? {
        if let known = values[bytes] { return known }
        guard let read = try? WireJSON.decode(Value.self, from: bytes) else { return nil }
        if values.count >= Self.kept { values = [:] }
        values[bytes] = read
        return read
    }
}
