// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import LayoutEngine
import WidgetSchema

/// Draws the gallery into a folder, and ends with 1 if a layout breaks a rule.
///
/// `--symbols` draws only the picture of all symbols into the documentation, `--kitchen FILE` only a board of five widgets, and
/// `--panels FOLDER` only the pictures of panels with few colours.
@main
struct Main {
    private let renderer = SampleRenderer()
    private let folder: URL

    static func main() throws {
        if CommandLine.arguments.dropFirst().first == "--symbols" {
            return try SampleRenderer().svg(of: SymbolSheet.layout).write(to: URL(filePath: SymbolSheet.file))
        }
        if CommandLine.arguments.count == 3, CommandLine.arguments[1] == "--kitchen",
            let board = SampleBoard.kitchen()
        {
            return try SampleRenderer().png(of: board).write(to: URL(filePath: CommandLine.arguments[2]))
        }
        if CommandLine.arguments.count == 3, CommandLine.arguments[1] == "--panels" {
            let folder = URL(filePath: CommandLine.arguments[2], directoryHint: .isDirectory)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let main = Main(folder: folder)
            let problems = try main.drawPanels(into: folder) + main.drawBoards(into: folder)
            _ = try main.panelsOfFewColors()
            _ = try main.panelSheets()
            for problem in problems { FileHandle.standardError.write(Data("\(problem)\n".utf8)) }
            if !problems.isEmpty { exit(1) }
            return
        }
        let path = CommandLine.arguments.dropFirst().first ?? ".build/gallery"
        try Main(folder: URL(filePath: path, directoryHint: .isDirectory)).run()
    }

    private func run() throws {
        let pictures = folder.appending(path: "pictures", directoryHint: .isDirectory)
        try? FileManager.default.removeItem(at: folder)
        try FileManager.default.createDirectory(at: pictures, withIntermediateDirectories: true)

        let problems = Gallery.all.flatMap { item in
            let layout = renderer.layout(of: item.sample)
            let problems =
                renderer.problems(of: item.sample) + GalleryRules.problems(of: item, layout)
                + ReadingRules(item: item, layout: layout, renderer: renderer).problems
            return problems.map { "\(item.name): \($0)" }
        }
        let panelProblems = try drawPanels(into: pictures) + drawBoards(into: pictures)
        let boardProblems = self.boardProblems
        let series = TextSizeSeries.all() + TextSizeSeries.withNames()
        let seriesProblems = series.flatMap { TextSizeRules($0, renderer: renderer).problems }
        var sheets: [(title: String, file: String)] = [
            ("Every kind, large, on an iPhone of 375 points", try overview()),
            ("German, Japanese and Arabic", try languages([.german, .japanese, .arabic], "sheet-languages.png")),
            ("Hindi and Thai", try languages([.hindi, .thai], "sheet-hindi-thai.png")),
            ("Hebrew and Tamil", try languages([.hebrew, .tamil], "sheet-hebrew-tamil.png")),
            ("Other families", try families()),
            ("The large family of tablets", try tablets()),
            ("Panels with few colours", try panelsOfFewColors()),
        ]
        sheets += try panelSheets()
        for kind in WidgetKind.allCases {
            sheets.append((kind.rawValue, try sheet(of: kind)))
            try page(of: kind)
        }
        try write(GalleryPage.styleSheet, "gallery.css")
        let all = problems + panelProblems + boardProblems + seriesProblems
        try write(GalleryPage.index(sheets: sheets, problems: all), "index.html")
        print("\(folder.appending(path: "index.html").path())")
        for problem in all { FileHandle.standardError.write(Data("\(problem)\n".utf8)) }
        if !all.isEmpty { exit(1) }
    }

    /// The problems of the cells of all boards as texts.
    private var boardProblems: [String] {
        SampleBoard.all.flatMap { board in
            board.cells.flatMap { cell in
                let layout = renderer.layout(of: cell.item.sample)
                let problems = renderer.problems(of: cell.item.sample) + GalleryRules.problems(of: cell.item, layout)
                return problems.map { "\(cell.item.name): \($0)" }
            }
        }
    }

    /// Draws the panels with few colours into a folder, and returns the problems of their pictures as texts.
    private func drawPanels(into pictures: URL) throws -> [String] {
        try Gallery.panelsOfFewColors.flatMap { item in
            let layout = renderer.layout(of: item.sample)
            let png = try renderer.png(of: layout, on: item.display)
            try png.write(to: pictures.appending(path: "\(item.name).png"))
            guard let panel = item.display.panel else { return ["\(item.name): has no palette"] }
            return PanelPictureRules.problems(of: png, layout, on: panel).map { "\(item.name): \($0)" }
        }
    }

    /// Draws the kitchen with each palette into a folder, and returns the problems of its pictures as texts.
    private func drawBoards(into pictures: URL) throws -> [String] {
        try PanelPalette.allCases.flatMap { palette -> [String] in
            guard let board = SampleBoard.kitchen(palette) else { return ["there is no kitchen"] }
            let png = try renderer.png(of: board)
            try png.write(to: pictures.appending(path: "kitchen-\(palette.rawValue).png"))
            return PanelPictureRules.problems(of: png, renderer.picture(of: board)).map { "\(board.name): \($0)" }
        }
    }

    // MARK: Sheets

    /// Writes a sheet of one kind, with a row for each mode and text size, and returns the name of its file.
    ///
    /// Each row has all devices, light and dark.
    private func sheet(of kind: WidgetKind) throws -> String {
        var sheet = ContactSheet(zoom: 1)
        for mode in Gallery.modes {
            for size in Gallery.sizes {
                let items = Gallery.devices.flatMap { device in
                    Appearance.allCases.compactMap { Gallery.item(kind, .today, mode, size, device, $0) }
                }
                sheet.append("\(kind.rawValue), \(mode.rawValue), \(size.rawValue)", layouts(items))
            }
        }
        return try write(sheet, "sheet-\(kind.rawValue).png")
    }

    private func overview() throws -> String {
        var sheet = ContactSheet(zoom: 1.5)
        guard let device = Gallery.devices.dropFirst().first else { return "" }
        for kind in WidgetKind.allCases {
            let items = Gallery.modes.flatMap { mode in
                Appearance.allCases.compactMap { Gallery.item(kind, .today, mode, .large, device, $0) }
            }
            sheet.append(kind.rawValue, layouts(items))
        }
        return try write(sheet, "sheet-overview.png")
    }

    private func languages(_ languages: [SampleLanguage], _ file: String) throws -> String {
        var sheet = ContactSheet(zoom: 1)
        guard let device = Gallery.devices.dropFirst().first, let phone = Gallery.devices.last(where: { !$0.isTablet })
        else { return "" }
        for kind in WidgetKind.allCases {
            for size in [ContentSizeCategory.large, .accessibilityMedium] {
                let items = languages.flatMap { language in
                    Gallery.modes.compactMap { Gallery.item(kind, .today, $0, size, device, .light, language) }
                }
                sheet.append("\(kind.rawValue), \(size.rawValue)", layouts(items))
            }
            let families = languages.flatMap { language in
                [Display.Family.systemSmall, .systemMedium, .accessoryRectangular].compactMap {
                    Gallery.item(kind, $0, nil, .large, phone, .light, language)
                }
            }
            sheet.append("\(kind.rawValue), other families", layouts(families))
        }
        return try write(sheet, file)
    }

    private func families() throws -> String {
        var sheet = ContactSheet(zoom: 1)
        guard let device = Gallery.devices.dropFirst(2).first else { return "" }
        for kind in WidgetKind.allCases {
            let items = Gallery.otherFamilies.compactMap { Gallery.item(kind, $0, nil, .large, device, .light) }
            let more = Gallery.item(kind, .todayClassic, nil, .large, device, .dark, isExpanded: true)
            sheet.append("\(kind.rawValue), other families", layouts(items + [more].compactMap(\.self)))
        }
        return try write(sheet, "sheet-families.png")
    }

    private func tablets() throws -> String {
        var sheet = ContactSheet(zoom: 0.6)
        guard let tablet = Gallery.devices.last else { return "" }
        for kind in WidgetKind.allCases {
            let items = [ContentSizeCategory.large, .accessibilityMedium].compactMap { size in
                Gallery.item(kind, .systemExtraLarge, nil, size, tablet, .light)
            }
            sheet.append(kind.rawValue, layouts(items))
        }
        return try write(sheet, "sheet-tablets.png")
    }

    /// Writes sheets of each panel with every kind, and of boards at 800 by 480 and at 400 by 300 pixels.
    private func panelSheets() throws -> [(title: String, file: String)] {
        var sheets: [(title: String, file: String)] = []
        for panel in Gallery.panels {
            var rows: [(caption: String, pictures: [Picture])] = []
            for language in [SampleLanguage.english, .japanese, .arabic] {
                for palette in [PanelPalette.mono, .color] {
                    let items = WidgetKind.allCases.compactMap { Gallery.panel($0, panel, .large, language, palette) }
                    rows.append(("\(panel.name), \(language.title), \(palette.rawValue)", items.map(picture(of:))))
                }
            }
            sheets += try write(rows, panel.name)
        }
        let symbols = [16.0, 32, 64].map { (caption: "Symbols", pictures: [SymbolSheet.picture(side: $0)]) }
        sheets += try write(symbols, "symbols")
        let kitchens = [SampleBoard.kitchen(), .kitchenOnGrid()].compactMap(\.self)
        sheets += try write([("A board of five widgets", kitchens.map(renderer.picture(of:)))], "kitchen")
        for panel in Gallery.lyingPanels.prefix(2).flatMap({ [$0, $0.turned] }) {
            var rows = SampleLanguage.allCases.map { language in
                let boards = SampleBoard.counts.compactMap { SampleBoard(panel, .mono, language, cells: $0) }
                return (caption: "\(language.title), one to six cells", pictures: boards.map(renderer.picture(of:)))
            }
            let states = SampleBoard.counts.compactMap { SampleBoard(panel, .mono, .english, cells: $0)?.withStates }
            rows.append(("Stale, and without content", states.map(renderer.picture(of:))))
            sheets += try write(rows, "boards-\(panel.name)")
        }
        return sheets
    }

    private func picture(of item: Gallery.Item) -> Picture {
        Picture(renderer.layout(of: item.sample), on: item.display)
    }

    /// Writes rows on as few sheets as hold them, and returns the titles and files of the sheets.
    private func write(
        _ rows: [(caption: String, pictures: [Picture])],
        _ name: String
    ) throws -> [(title: String, file: String)] {
        var sheets = [ContactSheet(zoom: 1)]
        for row in rows {
            if !sheets[sheets.count - 1].holds(row.pictures) { sheets.append(ContactSheet(zoom: 1)) }
            sheets[sheets.count - 1].append(row.caption, row.pictures)
        }
        return try sheets.enumerated().map { index, sheet in
            ("\(name), \(index + 1)", try write(sheet, "sheet-\(name)-\(index + 1).png"))
        }
    }

    private func panelsOfFewColors() throws -> String {
        var sheet = ContactSheet(zoom: 1)
        for (kind, items) in Dictionary(grouping: Gallery.panelsOfFewColors, by: \.sample.definition.kind)
            .sorted(by: { $0.key.rawValue < $1.key.rawValue })
        {
            for palette in [PanelPalette.mono, .gray4] {
                let shown = items.filter {
                    $0.display.panel?.palette == palette && [.english, .japanese].contains($0.language)
                }
                sheet.append("\(kind.rawValue), \(palette.rawValue)", panels(shown))
            }
        }
        return try write(sheet, "sheet-palettes.png")
    }

    private func panels(_ items: [Gallery.Item]) -> [(layout: Layout, panel: WidgetSchema.Panel)] {
        items.compactMap { item in item.display.panel.map { (renderer.layout(of: item.sample), $0) } }
    }

    private func layouts(_ items: [Gallery.Item]) -> [(layout: Layout, family: Display.Family)] {
        items.map { (renderer.layout(of: $0.sample), $0.display.family) }
    }

    // MARK: Pages

    private func page(of kind: WidgetKind) throws {
        var entries: [GalleryPage.Entry] = []
        for mode in Gallery.modes {
            for size in Gallery.sizes {
                for device in Gallery.devices {
                    for appearance in Appearance.allCases {
                        guard let item = Gallery.item(kind, .today, mode, size, device, appearance) else { continue }
                        let layout = renderer.layout(of: item.sample)
                        let file = "pictures/\(item.name).png"
                        try renderer.png(of: layout, on: item.display).write(to: folder.appending(path: file))
                        entries.append(GalleryPage.Entry(item: item, file: file, size: layout.size))
                    }
                }
            }
        }
        try write(GalleryPage(kind: kind, entries: entries).html, "\(kind.rawValue).html")
    }

    // MARK: Files

    private func write(_ sheet: ContactSheet, _ name: String) throws -> String {
        try sheet.png(renderer).write(to: folder.appending(path: name))
        return name
    }

    private func write(_ text: String, _ name: String) throws {
        try Data(text.utf8).write(to: folder.appending(path: name))
    }
}
