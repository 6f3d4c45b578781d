// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation

/// Property lists, binary or XML, as the JSON that says the same: what apps of Apple's platforms write.
enum PropertyListDocument {
    /// Lists and dictionaries within one another; deeper ones are refused.
    static let maximumDepth = 64

    /// Why bytes are no property list.
    struct Problem: Error {
        var message: String
    }

    /// Whether bytes begin as a property list does.
    static func isOne(_ bytes: Data) -> Bool {
        if bytes.starts(with: "bplist00".utf8) { return true }
        let start = bytes.prefix(1024)
        guard start.first(where: { $0 > UInt8(ascii: " ") }) == UInt8(ascii: "<") else { return false }
        return start.range(of: Data("<plist".utf8)) != nil || start.range(of: Data("<!DOCTYPE plist".utf8)) != nil
    }

    /// Dates become RFC 3339, data base64.
    static func json(of bytes: Data) throws(Problem) -> Data {
        // The system's reader recurses, and would end the process where a document is nothing but beginnings.
        guard bytes.starts(with: "bplist00".utf8) || depth(ofXML: bytes) <= maximumDepth else { throw tooDeep }
        let value: Any
        do {
            value = try PropertyListSerialization.propertyList(from: bytes, options: [], format: nil)
        } catch {
            throw Problem(message: "not a property list: \(reason(error))")
        }
        let converted = try converted(value, depth: 0)
        do {
            return try JSONSerialization.data(withJSONObject: converted, options: [.fragmentsAllowed])
        } catch {
            throw Problem(message: "the property list holds what JSON cannot: \(reason(error))")
        }
    }

    private static let tooDeep = Problem(message: "the property list has more than \(maximumDepth) levels")

    private static func converted(_ value: Any, depth: Int) throws(Problem) -> Any {
        guard depth <= maximumDepth else { throw tooDeep }
        switch value {
        case let list as [Any]:
            var result: [Any] = []
            result.reserveCapacity(list.count)
            for element in list { result.append(try converted(element, depth: depth + 1)) }
            return result
        case let dictionary as [String: Any]:
            var result: [String: Any] = [:]
            result.reserveCapacity(dictionary.count)
            for (key, element) in dictionary { result[key] = try converted(element, depth: depth + 1) }
            return result
        case let date as Date: return date.formatted(.iso8601)
        case let data as Data: return data.base64EncodedString()
        case let number as NSNumber:
            // JSON has no words for these.
            return number.doubleValue.isFinite ? number : NSNull()
        case let text as String: return text
        default: throw Problem(message: "the property list holds a \(type(of: value))")
        }
    }

    /// How many elements are open at the deepest place, by the tags that open levels.
    private static func depth(ofXML bytes: Data) -> Int {
        var depth = 0
        var deepest = 0
        var rest = bytes[...]
        while let tag = rest.firstIndex(of: UInt8(ascii: "<")) {
            rest = rest[rest.index(after: tag)...]
            if rest.starts(with: "/array".utf8) || rest.starts(with: "/dict".utf8) {
                depth -= 1
            } else if rest.starts(with: "array".utf8) || rest.starts(with: "dict".utf8) {
                let end = rest.firstIndex(of: UInt8(ascii: ">")) ?? rest.endIndex
                if end == rest.startIndex || rest[rest.index(before: end)] != UInt8(ascii: "/") { depth += 1 }
                deepest = max(deepest, depth)
            }
        }
        return deepest
    }

    private static func reason(_ error: any Error) -> String {
        (error as NSError).userInfo[NSDebugDescriptionErrorKey] as? String ?? error.localizedDescription
    }
}
