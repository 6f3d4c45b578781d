// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation

/// Lines and curves, in units of its own; y grows downwards.
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
        /// A cubic Bézier curve with its two control points.
        case curve(Point, Point, Point)
        case close
    }

    private(set) var segments: [Segment] = []

    init(_ segments: [Segment] = []) { self.segments = segments }

    /// Straight lines through points, `[x, y, x, y, …]`.
    static func lines(_ coordinates: Double..., closed: Bool = false) -> VectorPath {
        var path = VectorPath()
        for index in stride(from: 0, to: coordinates.count - 1, by: 2) {
            let point = Point(coordinates[index], coordinates[index + 1])
            path.segments.append(index == 0 ? .move(point) : .line(point))
        }
        if closed { path.segments.append(.close) }
        return path
    }

    /// A part of a circle, from one angle to another, in degrees clockwise from three o'clock.
    static func arc(_ x: Double, _ y: Double, _ radius: Double, from start: Double, to end: Double) -> VectorPath {
        var path = VectorPath()
        path.addArc(x, y, radius, from: start, to: end)
        return path
    }

    static func circle(_ x: Double, _ y: Double, _ radius: Double) -> VectorPath {
        var path = arc(x, y, radius, from: 0, to: 360)
        path.segments.append(.close)
        return path
    }

    /// A rectangle with round corners.
    static func box(_ x: Double, _ y: Double, _ width: Double, _ height: Double, radius: Double) -> VectorPath {
        var path = VectorPath()
        let (right, bottom) = (x + width, y + height)
        path.addArc(right - radius, y + radius, radius, from: -90, to: 0)
        path.addArc(right - radius, bottom - radius, radius, from: 0, to: 90)
        path.addArc(x + radius, bottom - radius, radius, from: 90, to: 180)
        path.addArc(x + radius, y + radius, radius, from: 180, to: 270)
        path.segments.append(.close)
        return path
    }

    /// The outline of circles that stand side by side on one ground, each overlapping the next.
    static func hull(_ circles: [(x: Double, y: Double, radius: Double)]) -> VectorPath {
        var path = VectorPath()
        var start = 90.0
        for (index, circle) in circles.enumerated() {
            guard index + 1 < circles.count else {
                path.addArc(circle.x, circle.y, circle.radius, from: start, to: 450)
                break
            }
            let next = circles[index + 1]
            let meeting = upperMeeting(circle, next)
            path.addArc(circle.x, circle.y, circle.radius, from: start, to: angle(of: meeting, around: circle))
            start = angle(of: meeting, around: next)
        }
        path.segments.append(.close)
        return path
    }

    /// Goes on with a part of a circle, and with a line to where it begins.
    mutating func addArc(_ x: Double, _ y: Double, _ radius: Double, from start: Double, to end: Double) {
        func point(_ degrees: Double, _ distance: Double = 0) -> Point {
            let angle = degrees * .pi / 180
            return Point(
                x + radius * cos(angle) - distance * sin(angle),
                y + radius * sin(angle) + distance * cos(angle)
            )
        }
        segments.append(segments.isEmpty ? .move(point(start)) : .line(point(start)))
        // A curve for each quarter at most: beyond it, they are no circles any more.
        let count = max(Int((abs(end - start) / 90).rounded(.up)), 1)
        let step = (end - start) / Double(count)
        let reach = 4 / 3 * tan(step * .pi / 720) * radius
        for index in 0..<count {
            let from = start + Double(index) * step
            segments.append(.curve(point(from, reach), point(from + step, -reach), point(from + step)))
        }
    }

    private static func angle(of point: Point, around circle: (x: Double, y: Double, radius: Double)) -> Double {
        let angle = atan2(point.y - circle.y, point.x - circle.x) * 180 / .pi
        // Outlines run from the ground over the left and the top.
        return angle < 90 ? angle + 360 : angle
    }

    /// The upper of the two points that are on both circles.
    private static func upperMeeting(
        _ first: (x: Double, y: Double, radius: Double),
        _ second: (x: Double, y: Double, radius: Double)
    ) -> Point {
        let (dx, dy) = (second.x - first.x, second.y - first.y)
        let distance = hypot(dx, dy)
        let along = (distance * distance + first.radius * first.radius - second.radius * second.radius) / (2 * distance)
        let across = max(first.radius * first.radius - along * along, 0).squareRoot()
        let (ux, uy) = (dx / distance, dy / distance)
        let middle = Point(first.x + along * ux, first.y + along * uy)
        let candidates = [
            Point(middle.x + across * uy, middle.y - across * ux),
            Point(middle.x - across * uy, middle.y + across * ux),
        ]
        return candidates[0].y < candidates[1].y ? candidates[0] : candidates[1]
    }
}
