// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import JSON
internal import WidgetSchema

/// Accessors that expect a kind of value, and throw an error that names this kind if the value is of another kind.
extension JSONValue {
    /// Throws if the value is not an array.
    func expectList() throws(JSONFault) {
        guard kind == .array else { throw fault("the value is \(kindName); an array was expected") }
    }

    func expectObject() throws(JSONFault) {
        guard kind == .object else { throw fault("the value is \(kindName); an object was expected") }
    }

    /// Returns the text of a string; throws for any other value.
    func expectString() throws(JSONFault) -> String {
        guard let string else { throw fault("the value is \(kindName); a string was expected") }
        return string
    }

    /// Returns a number, which may be in quotation marks; throws for any other value.
    func expectNumber() throws(JSONFault) -> Double {
        if let number { return number }
        if let string {
            if let number = Double(PlainText.trimmed(string)), number.isFinite { return number }
            if let refusal = OriginRefusal.find(inValue: self, string) { throw refusal }
        }
        throw fault(kind == .number ? "the number is too large" : "the value is \(kindName); a number was expected")
    }

    /// Returns the value at each of the pointers, which are relative to this value.
    ///
    /// An element of the result is nil if the document has no value at the pointer; a null in the document is a value.
    /// All values are found in one pass.
    func values(at pointers: [JSONPointer]) -> [JSONValue?] { values(at: pointers.map(\.tokens)) }

    func value(at pointer: JSONPointer) -> JSONValue? { values(at: [pointer]).first ?? nil }

    /// Returns an error about this value; ``SourceDocument/error(_:)`` later adds the line and the column of the value.
    func fault(_ message: String, kind: ParsingError.Kind = .wrongFormat) -> JSONFault {
        JSONFault(value: self, message: message, kind: kind)
    }

    /// Returns the text of a scalar on one line, cut to at most `characters` characters.
    ///
    /// Returns nil if the text is blank, or if the value is not a scalar.
    func line(atMost characters: Int) -> String? {
        scalarText.flatMap { PlainText.collapse($0, limit: characters).shortened(to: characters) }
    }

    /// Returns the inner value `{…}` of content in Tidings's own form, such as `{"kind": "quote", "quote": {…}}`.
    ///
    /// Contents have this form on the bus. Returns nil if the value does not have the form. Throws if it is content of
    /// another kind than `wanted`.
    func ownForm(of wanted: WidgetKind) throws(JSONFault) -> JSONValue? {
        guard let named = self["kind"], let word = named.string, let kind = WidgetKind(rawValue: word),
            let inner = self[word]
        else { return nil }
        guard kind == wanted else {
            throw named.fault("the content is of kind \(kind.rawValue); kind \(wanted.rawValue) was expected")
        }
        return inner
    }
}
