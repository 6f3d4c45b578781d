// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import AccessTokens
import Foundation
import WebServer
import WidgetSchema

/// A request that matches a route, with the values of the path's parameters.
struct Call: Sendable {
    let request: WebRequest
    let parameters: [String: String]
    /// The address of the client, even if the request came through trusted proxies.
    let client: String
    /// The record of the token that the request contains; nil if the request contains no valid token.
    let token: TokenRecord?

    var isHead: Bool { request.method == "HEAD" }

    func widget() throws(Problem) -> WidgetID { try identifier("widget", "widget id") }

    func device() throws(Problem) -> DeviceID { try identifier("device", "device id") }

    func display() throws(Problem) -> DisplayName { try identifier("display", "display name") }

    /// Returns the name and the format in the parameter `file`, such as `phone.png`.
    ///
    /// An error says what has such a name (`owner`), with `word` in place of the name.
    func file<Name: ValidatedString>(_ word: String, of owner: String) throws(Problem) -> (Name, RenderFormat) {
        let file = parameters["file"] ?? ""
        guard let dot = file.lastIndex(of: "."), let name = Name(rawValue: String(file[..<dot])),
            let format = RenderFormat(fileExtension: String(file[file.index(after: dot)...]))
        else {
            throw .notFound(
                "'\(file.prefix(80))' is not the name of \(owner); use \(word).png, \(word).svg or \(word).json."
            )
        }
        return (name, format)
    }

    private func identifier<ID: ValidatedString>(_ parameter: String, _ noun: String) throws(Problem) -> ID {
        let text = parameters[parameter] ?? ""
        guard let id = ID(rawValue: text) else {
            throw .notFound("'\(text.prefix(80))' is not a valid \(noun): \(ID.rule).")
        }
        return id
    }

    /// Returns a query parameter as a whole number; nil if the parameter is absent.
    ///
    /// Throws if the value is not a whole number, or not within the range.
    func integer(_ name: String, in range: ClosedRange<Int>) throws(Problem) -> Int? {
        guard let text = request.query(name) else { return nil }
        guard let value = Int(text), range.contains(value), !text.hasPrefix("+") else {
            throw .badParameter(
                name,
                "'\(text.prefix(40))' is not a whole number from \(range.lowerBound) to \(range.upperBound)."
            )
        }
        return value
    }

    func sequence(_ name: String) throws(Problem) -> SequenceNumber? {
        guard let text = request.query(name) else { return nil }
        guard let value = SequenceNumber(text), value > .zero else {
            throw .badParameter(
                name,
                "'\(text.prefix(40))' is not a sequence number; write a positive whole number of up to 20 digits."
            )
        }
        return value
    }

    func flag(_ name: String) throws(Problem) -> Bool? {
        guard let text = request.query(name) else { return nil }
        switch text {
        case "1", "true": return true
        case "0", "false": return false
        default: throw .badParameter(name, "'\(text.prefix(40))' is not one of 1, 0, true, false.")
        }
    }

    func choice<Value: CaseIterable & RawRepresentable<String>>(_ name: String) throws(Problem) -> Value? {
        guard let text = request.query(name) else { return nil }
        guard let value = Value(rawValue: text) else {
            let known = Value.allCases.map(\.rawValue).joined(separator: ", ")
            throw .badParameter(name, "'\(text.prefix(40))' is not one of \(known).")
        }
        return value
    }

    /// Returns the request's body; an error names `shape`, the expected JSON.
    func body<Body: Decodable>(_ shape: String) throws(Problem) -> Body {
        do {
            return try WireJSON.decode(Body.self, from: request.body)
        } catch {
            throw .badBody("Expected \(shape). \(error)")
        }
    }

    /// Returns all values of a query parameter that may be repeated or contain a comma-separated list.
    func values(_ name: String) -> [String] {
        request.query.filter { $0.name == name }.flatMap { $0.value.split(separator: ",").map(String.init) }
    }
}
