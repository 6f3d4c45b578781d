// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WidgetSchema

/// A path of lines and curves, in a coordinate system whose y axis points downwards.
struct VectorPath: Hashable, Sendable {
    struct Point: Hashable, Sendable {
        var x: Double
        var y: Double

        init(_ x: Double, _ y: Double) {
            self.x = x
            self.y = y
        }
    }

    enum Segment: Hashable, Sendable {
        case move(Point)
        case line(Point)
        /// A cubic Bézier curve: two control points, followed by the end point.
        case curve(Point, Point, Point)
        case close
    }

    private(set) var segments: [Segment]

    init(_ segments: [Segment] = []) { self.segments = segments }

    /// Reads path data of SVG (SVG 1.1, section 8.3) with the commands M, L, C and Z; nil if the text is anything else.
    init?(data: some StringProtocol) {
        segments = []
        var rest = Substring(data)
        while let command = rest.popFirst() {
            if command == " " { continue }
            let end = rest.firstIndex { $0.isLetter } ?? rest.endIndex
            let numbers = rest[..<end].split(separator: " ").compactMap { Double($0) }
            rest = rest[end...]
            let points = stride(from: 0, to: numbers.count - 1, by: 2).map { Point(numbers[$0], numbers[$0 + 1]) }
            switch (command, points.count, numbers.count) {
            case ("M", 1, 2): segments.append(.move(points[0]))
            case ("L", 1, 2): segments.append(.line(points[0]))
            case ("C", 3, 6): segments.append(.curve(points[0], points[1], points[2]))
            case ("Z", 0, 0): segments.append(.close)
            default: return nil
            }
        }
    }

    /// Returns a rectangle with round corners.
    static func box(_ frame: Rectangle, radius: Double) -> VectorPath {
        let (x, y) = (frame.x, frame.y)
        // The distance from a corner to its control points, so that the Bézier curve is close to a quarter of a circle.
        let reach = radius * (1 - 4 / 3 * tan(Double.pi / 8))
        let (right, bottom) = (x + frame.width, y + frame.height)
        return VectorPath([
            .move(Point(right - radius, y)),
            .curve(Point(right - reach, y), Point(right, y + reach), Point(right, y + radius)),
            .line(Point(right, bottom - radius)),
            .curve(Point(right, bottom - reach), Point(right - reach, bottom), Point(right - radius, bottom)),
            .line(Point(x + radius, bottom)),
            .curve(Point(x + reach, bottom), Point(x, bottom - reach), Point(x, bottom - radius)),
            .line(Point(x, y + radius)),
            .curve(Point(x, y + reach), Point(x + reach, y), Point(x + radius, y)),
            .close,
        ])
    }

    mutating func append(_ other: VectorPath) { segments += other.segments }

    /// Returns the path as SVG path data; the closure `number` formats each coordinate.
    func data(_ number: (Double) -> String) -> String {
        func pair(_ point: Point) -> String { "\(number(point.x)) \(number(point.y))" }
        return segments.map { segment in
            switch segment {
            case .move(let point): "M" + pair(point)
            case .line(let point): "L" + pair(point)
            case .curve(let first, let second, let end): "C" + [first, second, end].map(pair).joined(separator: " ")
            case .close: "Z"
            }
        }.joined()
    }
}
