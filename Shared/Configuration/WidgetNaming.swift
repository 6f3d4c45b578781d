// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Cryptography
import Foundation
public import WidgetSchema

/// A generator of widget ids from the titles and URLs of feed subscriptions.
///
/// The same subscriptions in the same order get the same ids.
public struct WidgetNaming {
    /// The maximum number of characters of an id, not counting an appended digest or number.
    ///
    /// A longer id is cut, between words if possible.
    private static let maximumLength = 40
    private static let digestDigits = 6

    private var taken: Set<WidgetID> = []

    public init(taken: [WidgetID] = []) { self.taken = Set(taken) }

    /// Returns a new id, made from the words of the title.
    ///
    /// If the title is nil or contains no ASCII letters or digits, even after its accents are removed, the id is made
    /// from the host and the path of the URL. If the id is already used, a digest of the URL is appended. If this
    /// longer id is used too, a number is also appended.
    public mutating func id(title: String?, url: String) -> WidgetID {
        let digest = String(SHA256.hexDigest(of: url).prefix(Self.digestDigits))
        let name = title.flatMap(Self.plain) ?? Self.plain(Self.place(of: url)) ?? "feed-\(digest)"
        var candidates = [name, "\(name)-\(digest)"].makeIterator()
        var number = 2
        while true {
            let candidate = candidates.next() ?? "\(name)-\(digest)-\(number)"
            if candidate.hasPrefix("\(name)-\(digest)-") { number += 1 }
            guard let id = WidgetID(rawValue: candidate), taken.insert(id).inserted else { continue }
            return id
        }
    }

    /// Returns the host of a URL and the words of its path, joined by hyphens, without common words such as `feed` and
    /// `rss`.
    private static func place(of url: String) -> String {
        let parts = URLComponents(string: url)
        var host = parts?.host ?? ""
        if host.hasPrefix("www.") { host.removeFirst(4) }
        let common: Set<Substring> = ["feed", "feeds", "rss", "atom", "index", "xml", "rdf"]
        let words = (parts?.path ?? "").split { $0 == "/" || $0 == "." }.filter { !common.contains($0) }
        return ([Substring(host)] + words).joined(separator: "-")
    }

    /// Returns the words of a text in lower-case ASCII letters and digits, joined by hyphens; nil if nothing remains.
    static func plain(_ text: String) -> String? {
        let folded = text.folding(options: [.diacriticInsensitive, .caseInsensitive, .widthInsensitive], locale: nil)
            .replacing("ß", with: "ss").lowercased()
        let words = folded.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) && $0 != "'" && $0 != "’" }
            .map { $0.filter { $0 != "'" && $0 != "’" } }.filter { !$0.isEmpty }
        var name = ""
        for word in words {
            guard !name.isEmpty else {
                name = String(word.prefix(maximumLength))
                continue
            }
            guard name.count + 1 + word.count <= maximumLength else { break }
            name += "-" + word
        }
        return name.isEmpty ? nil : name
    }
}
