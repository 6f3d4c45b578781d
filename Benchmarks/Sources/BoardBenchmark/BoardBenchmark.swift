// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CPango
import Foundation
import LayoutEngine
import WidgetSchema

/// Draws a kitchen board of 800 by 480 pixels at 1 bit, and paints the same lines of text with Pango and cairo alone.
///
/// usage: BoardBenchmark ROUNDS
///
/// Writes one JSON object. Times are the medians of all rounds, in seconds, on one thread, with loaded fonts. `first` lays
/// out five cells and draws them with empty caches, `again` does so after one cell has changed. `bare` paints the lines of
/// the same board on a surface in grey, and writes it as PNG. `sizes` are the bytes of boards with 24 full cells at 1, 2
/// and 4 bits.
@main
struct BoardBenchmark {
    struct Report: Encodable {
        var first: Double
        var again: Double
        var bare: Double
        var lines: Int
        var bytes: Int
        var sizes: [Int]
    }

    static func main() throws {
        guard CommandLine.arguments.count == 2, let rounds = Int(CommandLine.arguments[1]), rounds > 0 else {
            FileHandle.standardError.write(Data("usage: BoardBenchmark ROUNDS\n".utf8))
            exit(2)
        }
        var kitchen = try Kitchen(palette: .mono, areas: BoardPreset.twoThree.areas(isPortrait: false))
        var (first, again, bare) = ([Double](), [Double](), [Double]())
        var (lines, bytes) = (0, 0)
        for _ in 0..<rounds {
            let studio = Studio()
            var cells: [BoardRequest.Cell] = []
            first.append(
                try seconds {
                    cells = try kitchen.indices.map { try studio.cell($0, of: kitchen) }
                    bytes = try studio.png(of: cells, on: kitchen).count
                }
            )
            kitchen.change()
            again.append(
                try seconds {
                    cells[0] = try studio.cell(0, of: kitchen)
                    _ = try studio.png(of: cells, on: kitchen)
                }
            )
            let texts = BareText.texts(of: cells, on: kitchen.board)
            lines = texts.count
            let painter = BarePainter()
            bare.append(seconds { painter.paint(texts, width: kitchen.board.width, height: kitchen.board.height) })
        }
        let areas = (0..<Board.maximumCells).map { index in
            BoardArea(column: index % 6 * 2 + 1, row: index / 6 * 2 + 1, columns: 2, rows: 2)
        }
        let sizes = try [PanelPalette.mono, .gray4, .gray16].map { palette in
            let (full, studio) = (try Kitchen(palette: palette, areas: areas), Studio())
            return try studio.png(of: try full.indices.map { try studio.cell($0, of: full) }, on: full).count
        }
        let report = Report(
            first: first.sorted()[first.count / 2],
            again: again.sorted()[again.count / 2],
            bare: bare.sorted()[bare.count / 2],
            lines: lines,
            bytes: bytes,
            sizes: sizes
        )
        FileHandle.standardOutput.write(try JSONEncoder().encode(report) + Data("\n".utf8))
    }

    /// Returns the processor time of the thread, so that other work on the machine does not count.
    private static func seconds(_ work: () throws -> Void) rethrows -> Double {
        func now() -> Double {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        }
        let start = now()
        try work()
        return now() - start
    }
}

/// The renderer, the composer and the painter of one drawing thread, with empty caches.
private final class Studio {
    private let renderer = LayoutRenderer(measurer: TextMeasurer())
    private let composer = BoardComposer()
    private let painter = CairoPainter()

    func cell(_ index: Int, of kitchen: Kitchen) throws -> BoardRequest.Cell {
        BoardRequest.Cell(cell: index, layout: renderer.draw(try kitchen.order(index)).layout)
    }

    func png(of cells: [BoardRequest.Cell], on kitchen: Kitchen) throws -> Data {
        try painter.png(of: composer.picture(BoardRequest(board: kitchen.board, cells: cells, lastChange: kitchen.now)))
    }
}

/// A board with the contents of the demo: a blog, the weather, a quote, builds, and documents, by turns.
private struct Kitchen {
    let board: Board
    let now = Instant(year: 2026, month: 11, day: 28, millisecondsOfDay: 31_260_000)
    private let displays: [Display]
    private var contents: [Content]
    private var version = 0

    var indices: Range<Int> { board.cells.indices }

    init(palette: PanelPalette, areas: [BoardArea]) throws {
        let grid = BoardGrid(width: 800, height: 480, hasHeader: true)
        guard let id = BoardID(rawValue: "kitchen"), let widget = WidgetID(rawValue: "w") else {
            throw CocoaError(.featureUnsupported)
        }
        board = Board(
            id: id,
            revision: "0",
            width: grid.width,
            height: grid.height,
            panel: Panel(palette: palette),
            header: .date,
            headerFrame: grid.header,
            locale: "en_GB",
            timeZone: "Europe/Lisbon",
            cells: areas.compactMap { area in
                DisplayName(rawValue: "kitchen-\(area.name)").map {
                    Board.Cell(widget: widget, display: $0, frame: grid.frame(of: area))
                }
            }
        )
        displays = board.displays.map(\.display)
        contents = []
        contents = areas.indices.map { content($0) }
    }

    /// Changes the content of the first cell.
    mutating func change() {
        version += 1
        contents[0] = content(0)
    }

    func order(_ index: Int) throws -> DrawingOrder {
        let content = contents[index]
        let number = "\(10_000_000 + version * 100 + index)"
        guard let digest = ContentDigest(rawValue: String(repeating: "0", count: 56) + number) else {
            throw CocoaError(.featureUnsupported)
        }
        let names = [
            WidgetKind.feed: "Neighbourhood", .forecast: "Lisbon", .quote: "Quote of the day", .json: "Builds",
        ]
        let moment = WidgetMoment(
            definition: WidgetDefinition(kind: content.kind, name: names[content.kind] ?? "Documents"),
            interaction: InteractionState(),
            instant: now
        )
        return DrawingOrder(shown: .content(content, digest), moment: moment, display: displays[index])
    }

    private static let titles = [
        "The harbour library opens on Sundays", "New benches along the canal", "Night trains return to the station",
        "A year of rooftop gardens", "The winter market moves to the old town", "Repair café: bring your lamp",
        "How the bakery on Mill Street makes its bread", "Tide tables for the coming month",
    ]

    private func content(_ index: Int) -> Content {
        func ago(_ number: Int) -> Instant { now.advanced(byMilliseconds: -Int64(number + 1) * 14_000_000) }
        func title(_ number: Int) -> String { Self.titles[(number + index + version) % Self.titles.count] }
        switch index % 5 {
        case 0:
            return .feed(
                FeedContent(
                    title: "The Tidings Blog",
                    items: (0..<8).map {
                        FeedItem(id: "\($0)", title: title($0), author: "Mina Okafor", published: ago($0))
                    }
                )
            )
        case 1:
            let today = LocalDays.utc.date(at: now)
            let conditions: [WeatherCondition] = [.partlyCloudy, .rain, .thunderstorm, .clear, .cloudy, .heavySnow]
            let days = conditions.enumerated().map { offset, condition in
                ForecastDay(
                    date: today.advanced(byDays: offset),
                    condition: condition,
                    low: Double(offset - 2),
                    high: Double(offset * 4)
                )
            }
            return .forecast(ForecastContent(days: days))
        case 2:
            let text = "He who knows others is wise; he who knows himself is enlightened."
            return .quote(QuoteContent(quotes: [Quote(text: text, author: "Laozi", source: "Tao Te Ching")]))
        case 3:
            return .keyValue(
                KeyValueContent(
                    pairs: (0..<8).map { KeyValuePair(key: "Build \(40 - $0), main", value: "\(87 + $0) %") }
                )
            )
        default:
            return .documents(
                DocumentsContent(
                    documents: (0..<6).map { RecentDocument(id: "\($0)", title: title($0), openedAt: ago($0)) }
                )
            )
        }
    }
}

/// A line of text with its place on the board.
private struct BareText {
    let text: String
    let x: Double
    let y: Double
    let font: LayoutFont

    static func texts(of cells: [BoardRequest.Cell], on board: Board) -> [BareText] {
        cells.flatMap { cell in
            let frame = board.cells[cell.cell].frame
            return texts(of: cell.layout.views, x: frame.x, y: frame.y)
        }
    }

    private static func texts(of views: [LayoutView], x: Double, y: Double) -> [BareText] {
        views.flatMap { view -> [BareText] in
            let (left, top) = (x + view.frame.x, y + view.frame.y)
            let own = view.text.map { text in
                text.lines.map { BareText(text: $0.text, x: left + $0.x, y: top + $0.baseline, font: text.font) }
            }
            return (own ?? []) + texts(of: view.views ?? [], x: left, y: top)
        }
    }
}

/// Pango and cairo alone, with their defaults: paints lines of text, and writes a PNG.
private final class BarePainter {
    /// The size of the PNG, so that the compiler cannot remove the work.
    private(set) var bytes = 0

    func paint(_ texts: [BareText], width: Int, height: Int) {
        let surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, Int32(width), Int32(height))
        let context = cairo_create(surface)
        cairo_set_source_rgb(context, 1, 1, 1)
        cairo_paint(context)
        cairo_set_source_rgb(context, 0, 0, 0)
        let layout = pango_cairo_create_layout(context)
        for text in texts {
            let description = pango_font_description_new()
            pango_font_description_set_family(description, FontSet.families)
            pango_font_description_set_weight(
                description,
                text.font.weight == .regular ? PANGO_WEIGHT_NORMAL : PANGO_WEIGHT_BOLD
            )
            pango_font_description_set_absolute_size(description, text.font.size * Double(PANGO_SCALE))
            pango_layout_set_font_description(layout, description)
            pango_font_description_free(description)
            pango_layout_set_text(layout, text.text, -1)
            cairo_move_to(context, text.x, text.y - Double(pango_layout_get_baseline(layout)) / Double(PANGO_SCALE))
            pango_cairo_show_layout(context, layout)
        }
        g_object_unref(UnsafeMutableRawPointer(layout))
        cairo_destroy(context)
        let status = cairo_surface_write_to_png_stream(
            surface,
            { painter, _, count in
                guard let painter else { return CAIRO_STATUS_WRITE_ERROR }
                Unmanaged<BarePainter>.fromOpaque(painter).takeUnretainedValue().bytes += Int(count)
                return CAIRO_STATUS_SUCCESS
            },
            Unmanaged.passUnretained(self).toOpaque()
        )
        cairo_surface_destroy(surface)
        precondition(status == CAIRO_STATUS_SUCCESS && bytes > 0, "a surface in memory can be written")
    }
}
