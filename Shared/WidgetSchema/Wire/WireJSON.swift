// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import Foundation
internal import JSON

/// The JSON of the wire: keys sorted, slashes not escaped, so that equal values have equal bytes.
public enum WireJSON {
    // Shared by the process, which is safe as long as nobody changes its settings.
    private static let decoder = JSONDecoder()

    public static func encode(_ value: some Encodable) throws(WireError) -> Data {
        do {
            return try SortedJSONEncoder.encode(value)
        } catch {
            throw WireError.cannotEncode(String(describing: error))
        }
    }

    public static func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws(WireError) -> Value {
        do {
            return try decoder.decode(type, from: data)
        } catch let error as WireError {
            throw error
        } catch let error as DecodingError {
            throw WireError(error)
        } catch {
            throw WireError.malformed(path: "", problem: "it cannot be read")
        }
    }
}
