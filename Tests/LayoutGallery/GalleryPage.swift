// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WidgetSchema

/// The gallery as a page for a browser: a folder of files that needs no network and no script.
struct GalleryPage {
    /// A picture in the page.
    struct Entry {
        let item: Gallery.Item
        /// Relative to the page.
        let file: String
        /// The size of the picture, in points.
        let size: Size
    }

    let kind: WidgetKind
    let entries: [Entry]

    /// Looks and what is shown of light and dark are in here: pages with a strict content security policy may refuse
    /// styles within them.
    static let styleSheet = String(decoding: PackageResources.gallery_css, as: UTF8.self)

    /// The page of one kind.
    var html: String {
        var sections: [(title: String, figures: [String])] = []
        for entry in entries {
            let display = entry.item.display
            let title = [
                entry.item.language.title, display.family.rawValue, display.mode?.rawValue,
                display.contentSizeCategory.rawValue,
            ].compactMap(\.self).joined(separator: " · ")
            if sections.last?.title != title { sections.append((title, [])) }
            sections[sections.count - 1].figures.append(figure(entry))
        }
        let body = sections.map { section in
            "<h2>\(section.title)</h2>\n<div class=\"row\">\n\(section.figures.joined(separator: "\n"))\n</div>"
        }
        return Self.document(
            title: kind.rawValue,
            body: """
                <input type="radio" name="appearance" id="both" checked><label for="both">both</label>
                <input type="radio" name="appearance" id="light"><label for="light">light</label>
                <input type="radio" name="appearance" id="dark"><label for="dark">dark</label>
                <main>
                \(body.joined(separator: "\n"))
                </main>
                """
        )
    }

    private func figure(_ entry: Entry) -> String {
        let display = entry.item.display
        let (width, height) = (Int(entry.size.width.rounded()), Int(entry.size.height.rounded()))
        return """
            <figure class="\(display.appearance.rawValue)"><figcaption>\(display.name), \(width) × \(height) pt</figcaption>\
            <img src="\(entry.file)" width="\(width)" height="\(height)" loading="lazy" alt="\(entry.item.name)"></figure>
            """
    }

    /// Returns the first page: the problems and the sheets.
    static func index(sheets: [(title: String, file: String)], problems: [String]) -> String {
        let figures = sheets.map { sheet in
            """
            <h2>\(escaped(sheet.title))</h2>
            <div class="sheet"><a href="\(sheet.file)"><img src="\(sheet.file)" loading="lazy" alt="\(escaped(sheet.title))"></a></div>
            """
        }
        let list = problems.map { "<li>\(escaped($0))</li>" }.joined(separator: "\n")
        return document(
            title: "Overview",
            body: "<main>\n" + (problems.isEmpty ? "" : "<h2>Problems</h2>\n<ul>\n\(list)\n</ul>\n")
                + figures.joined(separator: "\n") + "\n</main>"
        )
    }

    private static func document(title: String, body: String) -> String {
        let links = [("index", "overview")] + WidgetKind.allCases.map { ($0.rawValue, $0.rawValue) }
        return """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>Tidings: \(escaped(title))</title>
            <link rel="stylesheet" href="gallery.css">
            </head>
            <body>
            <header>
            <h1>Gallery: \(escaped(title))</h1>
            <nav>\(links.map { "<a href=\"\($0.0).html\">\($0.1)</a>" }.joined(separator: " "))</nav>
            </header>
            \(body)
            </body>
            </html>

            """
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
    }
}
