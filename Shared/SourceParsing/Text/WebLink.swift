// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import FoundationEssentials

/// Links that a tap may open: absolute, http or https.
enum WebLink {
    /// A longer link is dropped.
    static let maximumBytes = 4096

    /// The absolute form of a link found where `base` is in force; `nil` where that is no http or https.
    static func resolve(_ reference: String, base: String) -> String? {
        let reference = cleaned(reference)
        guard !reference.isEmpty, reference.utf8.count <= maximumBytes else { return nil }
        let joined = join(reference, base: base)
        guard isAbsolute(joined), joined.utf8.count <= maximumBytes else { return nil }
        return joined
    }

    /// Whether a text is an http or https URL with a host.
    static func isAbsolute(_ text: String) -> Bool {
        guard let url = URL(string: cleaned(text)), let scheme = url.scheme?.lowercased() else { return false }
        return (scheme == "http" || scheme == "https") && url.host()?.isEmpty == false
    }

    /// A reference against its base (RFC 3986, section 5.2); without a usable base the reference itself.
    static func join(_ reference: String, base: String) -> String {
        let reference = cleaned(reference)
        if let base = URL(string: cleaned(base)), base.scheme != nil,
            let url = URL(string: reference, relativeTo: base)
        {
            return url.absoluteString
        }
        if reference.hasPrefix("//") { return "https:" + reference }
        return URL(string: reference)?.absoluteString ?? reference
    }

    /// Without white space at the ends, and without the line breaks that some put inside.
    private static func cleaned(_ text: String) -> String {
        String(String.UnicodeScalarView(PlainText.trimmed(text).unicodeScalars.filter { $0.value >= 32 }))
    }
}
