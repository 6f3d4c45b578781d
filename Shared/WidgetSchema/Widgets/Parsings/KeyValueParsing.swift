// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The options for parsing content of kind `keyValue`: the values to take from a document, each with its label.
public struct KeyValueParsing: Hashable, Sendable {
    /// The place of one value in the document, and the label with which it is shown.
    public struct Value: Hashable, Sendable {
        public var label: String
        public var pointer: JSONPointer

        public init(label: String, pointer: JSONPointer) {
            self.label = label
            self.pointer = pointer
        }
    }

    /// The values to show, in this order.
    ///
    /// If the array is empty, all values of the document are shown, sorted by name.
    public var values: [Value]

    public init(values: [Value] = []) { self.values = values }

    /// The prefix of the options' names; the number after the prefix determines the order of the values.
    static let optionPrefix = "value."

    /// Parses options such as `value.000` with the text `LABEL=POINTER`, in the order of their names.
    ///
    /// `%` and `=` in a label are percent-encoded.
    init(options: [String: String]) throws(ParsingOptionError) {
        values = []
        var labels: Set<String> = []
        for (name, text) in options.sorted(by: { $0.key < $1.key }) {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else {
                throw ParsingOptionError(
                    option: name,
                    "'\(text)' does not have the form LABEL=POINTER, such as City=/city"
                )
            }
            let label = String(parts[0]).replacing("%3D", with: "=").replacing("%25", with: "%")
            if let problem = Self.problem(label: label) { throw problem.naming(name) }
            guard labels.insert(label).inserted else {
                throw ParsingOptionError(option: name, "two values have the label '\(label)'")
            }
            do throws(ParsingOptionError) {
                values.append(Value(label: label, pointer: try JSONPointer(parts[1])))
            } catch {
                throw error.naming(name)
            }
        }
        guard values.count <= KeyValueContent.maximumPairs else {
            throw ParsingOptionError(
                "\(values.count) values are configured; at most \(KeyValueContent.maximumPairs) are allowed"
            )
        }
    }

    var options: [String: String] {
        var options: [String: String] = [:]
        for (index, value) in values.enumerated() {
            let number = String(index)
            let place = String(repeating: "0", count: max(3 - number.count, 0)) + number
            let label = value.label.replacing("%", with: "%25").replacing("=", with: "%3D")
            options[Self.optionPrefix + place] = "\(label)=\(value.pointer)"
        }
        return options
    }

    /// Returns an error that describes what is wrong with a label; nil if the label is valid.
    public static func problem(label: String) -> ParsingOptionError? {
        if label.isEmpty { return ParsingOptionError("a value has no label") }
        guard label.count > KeyValuePair.maximumKeyCharacters else { return nil }
        return ParsingOptionError(
            "a label has \(label.count) characters; at most \(KeyValuePair.maximumKeyCharacters) are allowed"
        )
    }
}
