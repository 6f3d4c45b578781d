// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// A symbol whose lines are on the pixel grid, in pixels from the top left corner of the picture.
///
/// The edges of horizontal and vertical lines, and the extremes of curves, are between pixels; all points between them
/// are moved in proportion, as in the hinting of fonts.
struct PixelSymbol: Hashable, Sendable {
    /// A line of the symbol and its width.
    struct Stroke: Hashable, Sendable {
        var path: VectorPath
        var width: Double
    }

    let strokes: [Stroke]
    let areas: VectorPath

    /// The symbol in the largest centred square of a frame.
    init(_ art: SymbolArt, in frame: Rectangle) {
        let side = min(frame.width, frame.height).rounded(.down)
        let width = Self.lineWidth(side: side)
        // The centre of a line of an odd width is in the centre of a pixel.
        let hasLines = !art.lines.segments.isEmpty
        let shift = hasLines && width.truncatingRemainder(dividingBy: 2) == 1 ? 0.5 : 0
        let scale = side / SymbolArt.side
        let outline = hasLines ? art.lines : art.areas
        let horizontal = GridFit(outline.fixedCoordinates(on: .x), scale: scale, shift: shift)
        let vertical = GridFit(outline.fixedCoordinates(on: .y), scale: scale, shift: shift)
        let x = (frame.x + (frame.width - side) / 2).rounded()
        let y = (frame.y + (frame.height - side) / 2).rounded()
        func place(_ path: VectorPath) -> VectorPath {
            path.mapped { VectorPath.Point(x + horizontal.position(of: $0.x), y + vertical.position(of: $0.y)) }
        }
        areas = place(art.areas)
        let lines = place(art.lines).parts
        let thinned = width == 2 ? Self.crowded(lines, width: width) : []
        strokes = lines.enumerated().map { index, path in
            Stroke(path: path, width: thinned.contains(index) ? width - 1 : width)
        }
    }

    /// Returns the indices of lines so close to a longer one that there would be no gap between them.
    ///
    /// Lines that touch or cross each other do not count. Only small symbols have such lines.
    private static func crowded(_ lines: [VectorPath], width: Double) -> Set<Int> {
        let samples = lines.map { $0.samples(distance: 0.5) }
        let (nearest, farthest) = (touching * touching, (width + leastGap) * (width + leastGap))
        var crowded: Set<Int> = []
        for index in samples.indices {
            for other in 0..<index {
                var least = Double.infinity
                for point in samples[index] {
                    for neighbor in samples[other] {
                        let (x, y) = (point.x - neighbor.x, point.y - neighbor.y)
                        least = min(least, x * x + y * y)
                    }
                }
                guard least > nearest, least < farthest else { continue }
                crowded.insert(samples[index].count <= samples[other].count ? index : other)
            }
        }
        return crowded
    }

    /// The maximum distance of lines that touch each other, in pixels.
    private static let touching = 0.9
    /// The minimum gap between lines that do not touch each other, in pixels.
    private static let leastGap = 0.8

    /// Returns the width of the lines of a symbol in pixels: 2, 3 and 4 at 16, 32 and 64 pixels, and 1 below 12.
    static func lineWidth(side: Double) -> Double {
        switch side {
        case ..<12: 1
        case ..<24: 2
        case ..<48: 3
        case ..<96: 4
        default: (side / 24).rounded()
        }
    }
}

/// A mapping of the coordinates of one axis, in which some coordinates are whole pixels.
private struct GridFit {
    private let scale: Double
    private let shift: Double
    /// The fixed coordinates in units of the symbol and their positions in pixels, both ascending.
    private var anchors: [(from: Double, to: Double)] = []

    init(_ fixed: [Double], scale: Double, shift: Double) {
        self.scale = scale
        self.shift = shift
        let center = SymbolArt.side / 2
        let middle = (center * scale).rounded(.down)
        for coordinate in Set(fixed).sorted() {
            // Rounding from the centre keeps symmetrical symbols symmetrical.
            var position = middle + ((coordinate - center) * scale).rounded() + shift
            // Coordinates that differ by little stay together.
            if let last = anchors.last, (coordinate - last.from) * scale < Self.same { position = last.to }
            anchors.append((coordinate, position))
        }
    }

    /// The maximum distance of coordinates that count as one, in pixels.
    private static let same = 0.35

    func position(of coordinate: Double) -> Double {
        guard let first = anchors.first, let last = anchors.last else { return coordinate * scale + shift }
        if coordinate <= first.from { return first.to + (coordinate - first.from) * scale }
        if coordinate >= last.from { return last.to + (coordinate - last.from) * scale }
        let index = anchors.firstIndex { $0.from > coordinate } ?? anchors.count - 1
        let (lower, upper) = (anchors[index - 1], anchors[index])
        return lower.to + (upper.to - lower.to) * (coordinate - lower.from) / (upper.from - lower.from)
    }
}

extension VectorPath {
    enum Axis { case x, y }

    /// The parts of the path that begin with a move.
    var parts: [VectorPath] {
        var parts: [[Segment]] = []
        for segment in segments {
            if case .move = segment { parts.append([]) }
            if parts.isEmpty { parts.append([]) }
            parts[parts.count - 1].append(segment)
        }
        return parts.map { VectorPath($0) }
    }

    /// Returns points on the path that are at most `distance` from each other.
    func samples(distance: Double) -> [Point] {
        var samples: [Point] = []
        var (start, last) = (Point(0, 0), Point(0, 0))
        func add(to end: Point) {
            let (x, y) = (end.x - last.x, end.y - last.y)
            let steps = max((x * x + y * y).squareRoot() / distance, 1).rounded(.up)
            for step in stride(from: 0, through: steps, by: 1) {
                samples.append(Point(last.x + x * step / steps, last.y + y * step / steps))
            }
            last = end
        }
        for segment in segments {
            switch segment {
            case .move(let point):
                (start, last) = (point, point)
                samples.append(point)
            case .line(let point): add(to: point)
            case .curve(let first, let second, let end):
                let origin = last
                for step in 1...Self.curveSteps {
                    let time = Double(step) / Double(Self.curveSteps)
                    add(to: Self.point(on: (origin, first, second, end), at: time))
                }
            case .close: add(to: start)
            }
        }
        return samples
    }

    /// Returns the path with each point replaced.
    func mapped(_ transform: (Point) -> Point) -> VectorPath {
        VectorPath(
            segments.map { segment in
                switch segment {
                case .move(let point): .move(transform(point))
                case .line(let point): .line(transform(point))
                case .curve(let first, let second, let end):
                    .curve(transform(first), transform(second), transform(end))
                case .close: .close
                }
            }
        )
    }

    /// Returns the coordinates on one axis at which the path runs along the other axis: those of horizontal or vertical
    /// lines, and of the extremes of curves.
    ///
    /// Lines whose slant is at most `straight` count as horizontal or vertical.
    func fixedCoordinates(on axis: Axis, straight: Double = VectorPath.straight) -> [Double] {
        var found: [Double] = []
        var start = Point(0, 0)
        var last = Point(0, 0)
        /// Adds the coordinate if the path runs along the other axis from one point to the other.
        func add(from: Point, to: Point) {
            let (across, along) = axis == .x ? (from.x - to.x, from.y - to.y) : (from.y - to.y, from.x - to.x)
            guard abs(across) < straight, abs(along) > straight else { return }
            found.append(axis == .x ? to.x : to.y)
        }
        for segment in segments {
            switch segment {
            case .move(let point): (start, last) = (point, point)
            case .line(let point):
                add(from: last, to: point)
                last = point
            case .curve(let first, let second, let end):
                add(from: first, to: last)
                add(from: second, to: end)
                last = end
            case .close:
                add(from: last, to: start)
                last = start
            }
        }
        return found
    }

    /// The number of straight lines that replace a curve.
    private static let curveSteps = 8

    /// Returns the point of a Bézier curve at a time from 0 to 1.
    private static func point(on curve: (Point, Point, Point, Point), at time: Double) -> Point {
        let rest = 1 - time
        let (a, b, c, d) = (rest * rest * rest, 3 * rest * rest * time, 3 * rest * time * time, time * time * time)
        return Point(
            a * curve.0.x + b * curve.1.x + c * curve.2.x + d * curve.3.x,
            a * curve.0.y + b * curve.1.y + c * curve.2.y + d * curve.3.y
        )
    }

    /// The maximum slant of a line that counts as horizontal or vertical, in units of the symbol.
    static let straight = 0.05
}
