// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import Foundation
package import JSON

/// The JSON encoding on the wire: keys are sorted, and slashes are not escaped, so that equal values have equal bytes.
public enum WireJSON {
    public static func encode(_ value: some Encodable) throws(WireError) -> Data {
        do {
            return try SortedJSONEncoder.encode(value)
        } catch {
            throw WireError.cannotEncode(String(describing: error))
        }
    }

    public static func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws(WireError) -> Value {
        try decode(type, from: data, memory: nil)
    }

    /// Decodes a value; parts of it that events repeat, such as displays, are decoded once and kept in `memory`.
    package static func decode<Value: Decodable>(
        _ type: Value.Type,
        from data: Data,
        memory: (any JSONMemory)?
    ) throws(WireError) -> Value {
        do {
            return try JSONTapeDecoder.decode(type, from: data, memory: memory)
        } catch let error as WireError {
            throw error
        } catch is JSONSyntaxError {
            throw WireError.malformed(path: "", problem: "the message is not valid JSON")
        } catch let error as DecodingError {
            throw WireError(error)
        } catch {
            throw WireError.malformed(path: "", problem: "the message cannot be decoded")
        }
    }
}
