// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A value that many documents repeat unchanged, such as the displays in each event of a widget.
///
/// It is decoded like `Value`. With a `JSONMemory`, `JSONTapeDecoder` decodes equal JSON only once.
@propertyWrapper
public struct Repeated<Value: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
    public var wrappedValue: Value

    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

    public init(from decoder: any Decoder) throws {
        guard let decoder = decoder as? JSONTapeDecoder, let memory = decoder.tape.memory else {
            wrappedValue = try Value(from: decoder)
            return
        }
        let key = JSONMemoryKey(type: ObjectIdentifier(Value.self), json: decoder.tape.json(at: decoder.index))
        if let known = memory.value(for: key) as? Value {
            wrappedValue = known
            return
        }
        wrappedValue = try decoder.decode(Value.self)
        memory.remember(wrappedValue, for: key)
    }

    public func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
}

/// A memory of decoded values for `Repeated`.
package protocol JSONMemory: AnyObject {
    /// Returns the stored value for a key; nil if the memory has none.
    func value(for key: JSONMemoryKey) -> Any?
    /// Stores a value, which the memory may drop later.
    func remember(_ value: Any, for key: JSONMemoryKey)
}

/// The JSON of a value, and the type that it is decoded as.
package struct JSONMemoryKey: Hashable {
    let type: ObjectIdentifier
    /// The bytes from the value to the next value of the document.
    ///
    /// They begin with the complete value, so equal bytes contain equal values.
    let json: [UInt8]

    /// The size of the JSON in bytes.
    package var byteCount: Int { json.count }
}
