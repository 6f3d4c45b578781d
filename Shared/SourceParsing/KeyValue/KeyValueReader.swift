// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import JSON
internal import WidgetSchema

/// A reader for named values in a JSON object.
///
/// If a configuration selects values, they are read in the order of the configuration. Otherwise, all scalar members
/// are read, sorted by name. A member of an inner object is named by its path with dots, such as `location.city`.
/// Arrays, null and empty texts are dropped. Numbers keep their original digits.
enum KeyValueReader {
    /// The maximum depth of objects that are read if the configuration selects no values.
    ///
    /// The root object has depth 1. Deeper objects are ignored.
    static let maximumDepth = 8
    /// The maximum number of values that are read if the configuration selects none.
    ///
    /// A document with more values is rejected; the configuration must then select the values to show.
    static let maximumValues = 1_000

    static func read(_ document: SourceDocument, _ parsing: KeyValueParsing) throws(JSONFault) -> KeyValueContent {
        let root = document.root
        if let own = try root.ownForm(of: .keyValue) { return try pairs(of: own) }
        guard parsing.values.isEmpty else { return KeyValueContent(pairs: try chosen(parsing.values, root)) }
        if let refusal = OriginRefusal.find(in: root) { throw refusal }
        return KeyValueContent(pairs: try all(root))
    }

    private static func chosen(
        _ values: [KeyValueParsing.Value],
        _ root: JSONValue
    ) throws(JSONFault) -> [KeyValuePair] {
        let found = root.values(at: values.map(\.pointer))
        var pairs: [KeyValuePair] = []
        for (value, place) in zip(values, found) {
            guard let place, let text = try text(place) else { continue }
            pairs.append(KeyValuePair(key: value.label, value: text))
        }
        // A configured value, such as `status`, may itself look like an error message.
        if pairs.count < values.count, let refusal = OriginRefusal.find(in: root) { throw refusal }
        guard pairs.isEmpty, let first = values.first else { return pairs }
        throw root.fault(
            "the document has none of the \(values.count) configured values, such as \(first.label) at "
                + "'\(first.pointer)'"
        )
    }

    private static func all(_ root: JSONValue) throws(JSONFault) -> [KeyValuePair] {
        try root.expectObject()
        var found: [String: String] = [:]
        try collect(root, path: "", depth: 1, into: &found)
        // The names are sorted as they are shown: what is not visible in a name must not move it.
        let shown = found.map { name, value in (label: label(name), name: name, value: value) }
        var keys = Set(found.keys)
        return shown.sorted { ($0.label, $0.name) < ($1.label, $1.name) }.prefix(KeyValueContent.maximumPairs)
            .map { label, name, value in
                // Of names that look the same, only the first one is changed, so that keys are unique.
                let isOwn = label == name || keys.insert(label).inserted
                return KeyValuePair(key: isOwn ? label : name, value: value)
            }
    }

    /// Returns the visible form of a name; the name itself if nothing of it is visible.
    private static func label(_ name: String) -> String {
        let line = PlainText.collapse(name)
        return line.isEmpty ? name : VisibleText.normalized(line)
    }

    private static func collect(
        _ object: JSONValue,
        path: String,
        depth: Int,
        into found: inout [String: String]
    ) throws(JSONFault) {
        try object.forEachMember { name, value throws(JSONFault) in
            if depth == 1, name == Visibility.extensionName { return true }
            let key = path + name
            guard !name.isEmpty, key.utf8.count <= 4 * KeyValuePair.maximumKeyCharacters,
                key.count <= KeyValuePair.maximumKeyCharacters
            else { return true }
            if value.kind == .object {
                if depth < maximumDepth { try collect(value, path: key + ".", depth: depth + 1, into: &found) }
                return true
            }
            found[key] = try text(value)
            guard found.count <= maximumValues else {
                throw object.fault(
                    "the document has more than \(maximumValues) values; set 'values' to select those to show",
                    kind: .tooComplex
                )
            }
            return true
        }
    }

    /// Returns the text of a value; nil if it is blank.
    private static func text(_ value: JSONValue) throws(JSONFault) -> String? {
        guard let line = value.line(atMost: KeyValuePair.maximumValueCharacters) else { return nil }
        if let refusal = OriginRefusal.find(inValue: value, line) { throw refusal }
        return line
    }

    /// Reads content in the form that is used on the bus, `{"kind": "keyValue", "keyValue": {"pairs": […]}}`.
    ///
    /// `own` is the inner object, the value of the member `keyValue`.
    private static func pairs(of own: JSONValue) throws(JSONFault) -> KeyValueContent {
        try own.expectObject()
        guard let list = own["pairs"] else { throw own.fault("the object has no member 'pairs'") }
        try list.expectList()
        var pairs: [KeyValuePair] = []
        var keys: Set<String> = []
        try list.forEachElement { _, entry throws(JSONFault) in
            try entry.expectObject()
            let members = entry.members("key", "value")
            guard let key = members["key"], let value = members["value"] else {
                throw entry.fault("the pair must have the members 'key' and 'value'")
            }
            let name = try key.expectString()
            if let problem = KeyValueParsing.problem(label: name) { throw key.fault(problem.message) }
            guard keys.insert(name).inserted else { throw key.fault("'\(name)' occurs twice; keys must be unique") }
            if let text = value.line(atMost: KeyValuePair.maximumValueCharacters) {
                pairs.append(KeyValuePair(key: name, value: text))
            }
            return pairs.count < KeyValueContent.maximumPairs
        }
        return KeyValueContent(pairs: pairs)
    }
}
