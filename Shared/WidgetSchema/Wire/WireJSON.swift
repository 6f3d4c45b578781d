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

extension WireJSON {
    /// Returns the names of the members of an object, in ascending order.
    ///
    /// The object is the whole JSON or, if `member` is not nil, the value of this member.
    package static func memberNames(in data: Data, of member: String? = nil) throws(WireError) -> [String] {
        let names = try decode(MemberNames.self, from: data)
        return (member.map { names.inner[$0] ?? [] } ?? names.own).sorted()
    }

    /// The names of the members of an object, and of the objects in it.
    private struct MemberNames: Decodable {
        var own: [String] = []
        var inner: [String: [String]] = [:]

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: StringCodingKey.self)
            own = container.allKeys.map(\.stringValue)
            for key in container.allKeys {
                let object = try? container.nestedContainer(keyedBy: StringCodingKey.self, forKey: key)
                inner[key.stringValue] = object?.allKeys.map(\.stringValue)
            }
        }
    }
}
