// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation

/// Any JSON value, to be changed at any place.
enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    init(_ data: Data) throws { self = try JSONDecoder().decode(JSONValue.self, from: data) }

    func data() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return try encoder.encode(self)
    }

    subscript(key: String) -> JSONValue? {
        guard case .object(let fields) = self else { return nil }
        return fields[key]
    }

    var string: String? {
        guard case .string(let string) = self else { return nil }
        return string
    }

    var strings: [String] {
        guard case .array(let elements) = self else { return [] }
        return elements.compactMap(\.string)
    }

    var fields: [String: JSONValue] {
        guard case .object(let fields) = self else { return [:] }
        return fields
    }
}

extension JSONValue: Codable {
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let bool = try? container.decode(Bool.self) {
            self = .bool(bool)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let string = try? container.decode(String.self) {
            self = .string(string)
        } else if let array = try? container.decode([JSONValue].self) {
            self = .array(array)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let bool): try container.encode(bool)
        case .number(let number): try container.encode(number)
        case .string(let string): try container.encode(string)
        case .array(let array): try container.encode(array)
        case .object(let object): try container.encode(object)
        }
    }
}

/// One change of a document at one place.
struct JSONChange: Sendable, CustomStringConvertible {
    let path: String
    let description: String
    let document: JSONValue
    /// The key that was removed; nil if none was.
    var removedKey: String?
    /// The object that was changed, or in which a field was replaced, as it was before.
    var parent: JSONValue?
    var key: String?
    var isNull: Bool { description.hasSuffix("= null") }
}

extension JSONValue {
    /// Every document with one change: a field removed, an unknown one added, a value replaced by another.
    var changes: [JSONChange] { changes(at: "", parent: nil, key: nil) { $0 } }

    private func changes(
        at path: String,
        parent: JSONValue?,
        key: String?,
        rebuilt: @escaping (JSONValue) -> JSONValue
    ) -> [JSONChange] {
        var changes = replacements.map { value in
            let text = (try? value.data()).map { String(decoding: $0, as: UTF8.self) } ?? "?"
            let what = "\(path) = \(text)"
            return JSONChange(path: path, description: what, document: rebuilt(value), parent: parent, key: key)
        }
        switch self {
        case .object(let fields):
            let added = JSONValue.object(fields.merging(["~": .object([:])]) { _, new in new })
            changes.append(JSONChange(path: path, description: "\(path) with a field '~'", document: rebuilt(added)))
            for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
                let place = path.isEmpty ? name : "\(path).\(name)"
                var rest = fields
                rest[name] = nil
                changes.append(
                    JSONChange(
                        path: place,
                        description: "without \(place)",
                        document: rebuilt(.object(rest)),
                        removedKey: name,
                        parent: self,
                        key: name
                    )
                )
                changes += value.changes(at: place, parent: self, key: name) { inner in
                    var changed = fields
                    changed[name] = inner
                    return rebuilt(.object(changed))
                }
            }
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                changes += element.changes(at: "\(path).\(index)", parent: self, key: nil) { inner in
                    var changed = elements
                    changed[index] = inner
                    return rebuilt(.array(changed))
                }
            }
        case .null, .bool, .number, .string: break
        }
        return changes
    }

    /// Values that tell types apart: of another type, and of the same type and unlikely.
    private var replacements: [JSONValue] {
        let others: [JSONValue] = [.null, .bool(true), .number(7), .string("~"), .array([]), .object([:])]
        let same: [JSONValue] =
            switch self {
            case .number(let number): [.number(number + 0.5), .number(-1)]
            case .string(let string): [.string(""), .string(string + "é")]
            case .array: [.array([.null])]
            case .null, .bool, .object: []
            }
        return (others + same).filter { $0 != self }
    }
}
