// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import Foundation
import WidgetSchema

/// A writer for SVG 1.1 whose texts can be selected, searched and read aloud.
///
/// The output is self-contained. Each line has its measured width as `textLength`, so that lines keep their places if
/// the viewer has other fonts.
public struct SVGWriter {
    private var lines: [String] = []

    /// Returns the document in UTF-8.
    public static func data(of picture: Picture) -> Data {
        var writer = SVGWriter()
        writer.append(picture)
        return Data((writer.lines.joined(separator: "\n") + "\n").utf8)
    }

    private mutating func append(_ picture: Picture) {
        let (width, height) = (Self.number(picture.size.width), Self.number(picture.size.height))
        let rotation = picture.panel?.rotation ?? Panel.Rotation.none
        let (outerWidth, outerHeight) = rotation.swapsSides ? (height, width) : (width, height)
        let families = FontSet.families(in: picture.look).split(separator: ",")
            .map { $0.trimmingCharacters(in: .whitespaces) }
            .map { $0.contains(" ") ? "'\($0)'" : $0 }
        lines = [
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(outerWidth)\" height=\"\(outerHeight)\" "
                + "viewBox=\"0 0 \(outerWidth) \(outerHeight)\" "
                + "font-family=\"\((families + ["sans-serif"]).joined(separator: ", "))\" "
                + "text-rendering=\"geometricPrecision\""
                + (picture.look == .pixels ? " shape-rendering=\"crispEdges\">" : ">")
        ]
        switch rotation {
        case .none: break
        case .quarter: lines.append("<g transform=\"translate(\(height) 0) rotate(90)\">")
        case .half: lines.append("<g transform=\"translate(\(width) \(height)) rotate(180)\">")
        case .threeQuarters: lines.append("<g transform=\"translate(0 \(width)) rotate(270)\">")
        }
        let radius = picture.background.cornerRadius
        let corners = radius > 0 ? " rx=\"\(Self.number(radius))\"" : ""
        if picture.background.color.opacity > 0 {
            lines.append(
                "<rect width=\"\(width)\" height=\"\(height)\"\(corners)\(Self.paint("fill", picture.background.color))/>"
            )
        }
        for element in picture.elements {
            switch element {
            case .line(let line): append(line)
            case .symbol(let art, let frame, let color): append(art, frame, color)
            case .pixelSymbol(let symbol, let color):
                append(areas: symbol.areas, symbol.strokes, color, transform: "")
            case .rectangle(let frame, let color):
                let place = Self.attributes([
                    ("x", frame.x), ("y", frame.y), ("width", frame.width), ("height", frame.height),
                ])
                lines.append("<rect\(place)\(Self.paint("fill", color)) shape-rendering=\"crispEdges\"/>")
            case .dots(let frame, let color): append(dots: frame, color)
            }
        }
        lines.append(rotation == .none ? "</svg>" : "</g></svg>")
    }

    private mutating func append(_ line: Picture.Line) {
        guard !line.text.isEmpty, line.width > 0 else { return }
        var attributes = Self.attributes([("x", line.x), ("y", line.baseline), ("font-size", line.font.size)])
        switch line.font.weight {
        case .regular: break
        case .semibold: attributes += " font-weight=\"600\""
        case .bold: attributes += " font-weight=\"700\""
        }
        if line.font.italic { attributes += " font-style=\"italic\"" }
        // `x` is the left edge: the end of a text that runs from right to left.
        if TextDirection(of: line.text) == .rightToLeft { attributes += " direction=\"rtl\" text-anchor=\"end\"" }
        attributes += " textLength=\"\(Self.number(line.width))\" lengthAdjust=\"spacingAndGlyphs\""
        attributes += Self.paint("fill", line.color) + " xml:space=\"preserve\""
        lines.append("<text\(attributes)>\(Markup.escaped(line.text, quotes: false))</text>")
    }

    private mutating func append(dots frame: Rectangle, _ color: Color) {
        let thickness = min(frame.width, frame.height)
        guard thickness > 0 else { return }
        let isVertical = frame.height > frame.width
        let (x, y) = (frame.x + thickness / 2, frame.y + thickness / 2)
        let line = Self.attributes([
            ("x1", isVertical ? x : frame.x), ("y1", isVertical ? frame.y : y),
            ("x2", isVertical ? x : frame.x + frame.width), ("y2", isVertical ? frame.y + frame.height : y),
            ("stroke-width", thickness), ("stroke-dasharray", thickness),
        ])
        lines.append("<line\(line)\(Self.paint("stroke", color)) shape-rendering=\"crispEdges\"/>")
    }

    private mutating func append(_ art: SymbolArt, _ frame: Rectangle, _ color: Color) {
        let scale = min(frame.width, frame.height) / SymbolArt.side
        guard scale > 0 else { return }
        let transform = "translate(\(Self.number(frame.x)) \(Self.number(frame.y))) scale(\(Self.number(scale)))"
        append(
            areas: art.areas,
            [PixelSymbol.Stroke(path: art.lines, width: SymbolArt.lineWidth)],
            color,
            transform: " transform=\"\(transform)\""
        )
    }

    private mutating func append(
        areas: VectorPath,
        _ strokes: [PixelSymbol.Stroke],
        _ color: Color,
        transform: String
    ) {
        var group = "<g\(transform)>"
        if !areas.segments.isEmpty {
            group += "<path d=\"\(areas.data(Self.number))\"\(Self.paint("fill", color))/>"
        }
        for stroke in strokes where !stroke.path.segments.isEmpty {
            group += "<path d=\"\(stroke.path.data(Self.number))\" fill=\"none\"\(Self.paint("stroke", color))"
            group += " stroke-width=\"\(Self.number(stroke.width))\""
            group += " stroke-linecap=\"round\" stroke-linejoin=\"round\"/>"
        }
        lines.append(group + "</g>")
    }

    // MARK: Words of SVG

    private static func attributes(_ values: [(String, Double)]) -> String {
        values.map { " \($0)=\"\(number($1))\"" }.joined()
    }

    private static func paint(_ name: String, _ color: Color) -> String {
        " \(name)=\"\(color.hex)\"" + (color.opacity < 1 ? " \(name)-opacity=\"\(number(color.opacity))\"" : "")
    }

    /// Returns a number rounded to ten-thousandths; smaller differences are not visible.
    private static func number(_ value: Double) -> String {
        let rounded = (value * 10_000).rounded() / 10_000 + 0
        return rounded == rounded.rounded() && abs(rounded) < 1e15 ? "\(Int(rounded))" : "\(rounded)"
    }
}
