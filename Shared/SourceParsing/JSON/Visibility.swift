// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import JSON
internal import WidgetSchema

/// A reader for the Boolean member `hasContent`, with which an origin asks hosts to show or hide the widget.
///
/// Any JSON document may have `"_tidings": {"hasContent": false}` at its top level. This includes a JSON Feed: version
/// 1.1 reserves names with an underscore for extensions.
///
/// A document may also have the form of content on the bus: `{"kind": "quote", "quote": {…}}`. Its `hasContent` is then
/// a member of the inner object.
enum Visibility {
    static let extensionName = "_tidings"
    static let flagName = "hasContent"

    /// Returns whether displays should show the widget; nil if the document says nothing about it.
    ///
    /// Throws if the value is not a Boolean.
    static func hasContent(in root: JSONValue) throws(JSONFault) -> Bool? {
        guard root.kind == .object else { return nil }
        let members = root.members(extensionName, "kind")
        var holder = members[extensionName]
        if holder == nil, let word = members["kind"]?.string, WidgetKind(rawValue: word) != nil { holder = root[word] }
        guard let holder, holder.kind == .object, let value = holder[flagName] else { return nil }
        guard let flag = value.flag else {
            throw value.fault("the value is \(value.kindName); true or false was expected")
        }
        return flag
    }
}
