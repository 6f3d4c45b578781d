// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import FoundationEssentials
internal import JSON
public import WidgetSchema

/// A member of a JSON document that the content does not depend on.
public struct UnusedMember: Hashable, Sendable {
    /// The path of the member, such as `days[].humidity`.
    public var path: String
    /// The name that was probably meant; nil if there is none.
    public var suggestion: String?

    /// The maximum processor time of one search; then only the members found so far are returned.
    private static let processorTime: Duration = .milliseconds(200)
    /// The maximum number of members that a text names.
    private static let maximumNamed = 6
    /// The names that are not reported: an id may be equal to the one that is made without it, and the others describe
    /// a JSON Feed as a whole.
    private static let silent: Set<String> = [
        "id", "version", "feed_url", "home_page_url", "next_url", "hubs", "icon", "favicon", "language", "expired",
        "user_comment", "avatar",
    ]

    /// Returns the members of a JSON document or property list that its content does not depend on.
    ///
    /// Returns none if the options of the parsing select the members to use. A member is not used if the content is the
    /// same without it; so the function parses the document once for each member. An array or object with a name that
    /// readers know is used, even if the content has nothing of it; then its own members are reported.
    public static func find(in body: SourceBody, parsing: Parsing) -> [UnusedMember] {
        let selects = parsing.kind == .json || (parsing.kind == .keyValue && parsing != Parsing(kind: .keyValue))
        guard !selects, let json = (try? SourceParser.json(of: body))??.bytes, let document = try? JSONDocument(json)
        else { return [] }
        let work = ParsingWork(processorTime: processorTime)
        func content(_ json: [UInt8]) -> Content? {
            // The day on which a forecast was received replaces its date. It must not be equal to the date by chance.
            let body = SourceBody(
                Data(json),
                contentType: "application/json",
                documentURL: body.documentURL,
                received: parsing.kind == .forecast ? Instant(milliseconds: 0) : body.received
            )
            return try? SourceParser.parse(body, parsing: parsing, work: work)
        }
        guard let expected = content(json) else { return [] }
        let names = MemberNames(parsing)
        var unused: [UnusedMember] = []
        var unusedPaths: Set<String> = []
        for member in DocumentMembers(document.root).members where !silent.contains(member.name) {
            if member.isContainer, names.contains(member.name) { continue }
            // The parts of an unused value are not reported again.
            let outer = member.parent.replacing("[]", with: "")
            if unusedPaths.contains(where: { outer == $0 || outer.hasPrefix($0 + ".") }) { continue }
            guard content(json.renamingMembers(at: member.places)) == expected else {
                if work.isExhausted { break }
                continue
            }
            unusedPaths.insert(member.path.replacing("[]", with: ""))
            let suggestion = names.correction(of: member.name, besides: member.siblings)
            unused.append(UnusedMember(path: member.path, suggestion: suggestion))
        }
        return unused
    }

    /// Returns a sentence without its full stop, such as `'forecast' and 'personId' were not used`; nil if there are no
    /// unused members.
    public static func text(_ unused: [UnusedMember]) -> String? {
        guard !unused.isEmpty else { return nil }
        var names = unused.prefix(maximumNamed).map { "'\($0.path)'" }
        if unused.count > maximumNamed { names.append("\(unused.count - maximumNamed) more") }
        let last = names.removeLast()
        let list = names.isEmpty ? last : names.joined(separator: ", ") + " and " + last
        let corrections = unused.prefix(maximumNamed).compactMap { member in
            member.suggestion.map { unused.count == 1 ? "'\($0)'" : "'\($0)' instead of '\(member.path)'" }
        }
        let end = corrections.isEmpty ? "" : "; did you mean \(corrections.joined(separator: ", "))?"
        return "\(list) \(unused.count == 1 ? "was" : "were") not used" + end
    }
}

extension [UInt8] {
    /// Returns a JSON document in which the members whose names begin at `places` have names that no reader knows.
    ///
    /// The document keeps its length. `places` are the offsets of the names' opening quotation marks.
    fileprivate func renamingMembers(at places: [Int]) -> [UInt8] {
        var result = self
        for place in places {
            var index = place + 1
            while index < result.count, result[index] != UInt8(ascii: "\"") {
                // The character after a backslash belongs to the escape sequence, also if it is a quotation mark.
                if result[index] == UInt8(ascii: "\\"), index + 1 < result.count {
                    result[index] = UInt8(ascii: "~")
                    index += 1
                }
                result[index] = UInt8(ascii: "~")
                index += 1
            }
        }
        return result
    }
}
