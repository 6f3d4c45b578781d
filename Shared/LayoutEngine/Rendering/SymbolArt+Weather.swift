// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

extension SymbolArt {
    /// Returns nil if there is no such name.
    static func weather(_ name: String) -> SymbolArt? {
        switch name {
        case "sun.max":
            sun(12, 12, radius: 4.2, rays: Array(stride(from: 0, to: 360, by: 45)), from: 6.8, to: 9.4)
        case "moon":
            moon
        case "moon.stars":
            moon + SymbolArt(areas: [.circle(18, 5.5, 1.2), .circle(20.5, 9.5, 0.9)])
        case "cloud":
            cloud(dy: -1)
        case "cloud.sun":
            sunBehind(dy: 0) + cloud(dy: 1.6, scale: 0.86, dx: 2.2)
        case "cloud.sun.rain":
            sunBehind(dy: -0.5) + cloud(dy: -0.9, scale: 0.8, dx: 2.4) + drops([9, 13, 17], length: 2.8)
        case "cloud.fog":
            cloud(dy: -4.5) + SymbolArt(lines: [.lines(5, 17.6, 19, 17.6), .lines(7, 21, 17, 21)])
        case "cloud.drizzle":
            cloud(dy: -4.5)
                + SymbolArt(areas: [
                    .circle(8, 17.6, 0.95), .circle(12, 17.6, 0.95), .circle(16, 17.6, 0.95), .circle(10, 20.8, 0.95),
                    .circle(14, 20.8, 0.95),
                ])
        case "cloud.rain":
            cloud(dy: -4.5) + drops([8.5, 12.5, 16.5], length: 3.4)
        case "cloud.heavyrain":
            cloud(dy: -4.5) + drops([6.8, 10.2, 13.6, 17], length: 4.8)
        case "cloud.sleet":
            cloud(dy: -4.5)
                + SymbolArt(
                    lines: [.lines(8.8, 17.2, 7.4, 20.6), .lines(16.8, 17.2, 15.4, 20.6)],
                    areas: [.circle(12.1, 19, 1.25)]
                )
        case "cloud.snow":
            cloud(dy: -4.5)
                + SymbolArt(areas: [.circle(8, 18, 1.25), .circle(12, 20.6, 1.25), .circle(16, 18, 1.25)])
        case "cloud.hail":
            cloud(dy: -4.5)
                + SymbolArt(
                    lines: [.lines(8.4, 16.6, 7.8, 18), .lines(12.6, 16.6, 12, 18), .lines(16.8, 16.6, 16.2, 18)],
                    areas: [.circle(7.2, 20.6, 1.25), .circle(11.4, 20.6, 1.25), .circle(15.6, 20.6, 1.25)]
                )
        case "cloud.bolt":
            cloud(dy: -4.5) + bolt(dx: 0)
        case "cloud.bolt.rain":
            cloud(dy: -4.5) + bolt(dx: 0)
                + SymbolArt(lines: [.lines(7.2, 17.2, 6, 20.2), .lines(17.8, 17.2, 16.6, 20.2)])
        case "snowflake":
            snowflake
        case "wind":
            SymbolArt(lines: [
                joined(.lines(3, 9, 13, 9), .arc(13, 6.4, 2.6, from: 90, to: -130)),
                joined(.lines(3, 12.6, 18, 12.6), .arc(18, 9.8, 2.8, from: 90, to: -100)),
                joined(.lines(3, 16.2, 11, 16.2), .arc(11, 18.4, 2.2, from: -90, to: 120)),
            ])
        case "thermometer":
            SymbolArt(
                lines: [
                    joined(.arc(12, 5.4, 2.4, from: 180, to: 360), .arc(12, 17, 4, from: -53, to: 233), closed: true),
                    .lines(12, 9, 12, 14),
                ],
                areas: [.circle(12, 17, 2)]
            )
        case "drop":
            SymbolArt(lines: [
                VectorPath([
                    .move(.init(12, 3)), .curve(.init(14, 6.5), .init(17.6, 10.6), .init(17.6, 14.6)),
                    .curve(.init(17.6, 17.9), .init(15.1, 20.4), .init(12, 20.4)),
                    .curve(.init(8.9, 20.4), .init(6.4, 17.9), .init(6.4, 14.6)),
                    .curve(.init(6.4, 10.6), .init(10, 6.5), .init(12, 3)), .close,
                ])
            ])
        default: nil
        }
    }

    /// Paths that belong to one line.
    static func joined(_ paths: VectorPath..., closed: Bool = false) -> VectorPath {
        var segments: [VectorPath.Segment] = []
        for path in paths {
            for segment in path.segments {
                if case .move(let point) = segment, !segments.isEmpty {
                    segments.append(.line(point))
                } else {
                    segments.append(segment)
                }
            }
        }
        return VectorPath(closed ? segments + [.close] : segments)
    }

    /// Three circles on one ground, at y = 18.5 where nothing moves it.
    private static func cloud(dy: Double = 0, scale: Double = 1, dx: Double = 0) -> SymbolArt {
        func circle(_ x: Double, _ y: Double, _ radius: Double) -> (x: Double, y: Double, radius: Double) {
            (12 + (x - 12) * scale + dx, 12 + (y - 12) * scale + dy, radius * scale)
        }
        return SymbolArt(lines: [
            .hull([circle(6.6, 14.9, 3.6), circle(11.4, 11.6, 5.1), circle(17.4, 14.3, 4.2)])
        ])
    }

    private static func sun(
        _ x: Double,
        _ y: Double,
        radius: Double,
        rays: [Double],
        from inner: Double,
        to outer: Double,
        arc: (from: Double, to: Double) = (0, 360)
    ) -> SymbolArt {
        let full = arc.to - arc.from >= 360
        let disc: VectorPath =
            full ? .circle(x, y, radius) : .arc(x, y, radius, from: arc.from, to: arc.to)
        return SymbolArt(lines: [disc] + rays.map { ray($0, x, y, from: inner, to: outer) })
    }

    /// The part of the sun beside a cloud.
    private static func sunBehind(dy: Double) -> SymbolArt {
        sun(8.4, 8.6 + dy, radius: 3.4, rays: [180, 225, 270, 315], from: 5.3, to: 7, arc: (138, 330))
    }

    private static func ray(_ degrees: Double, _ x: Double, _ y: Double, from: Double, to: Double) -> VectorPath {
        // An arc of no length is where it begins.
        func end(_ radius: Double) -> VectorPath.Point {
            guard case .move(let point)? = VectorPath.arc(x, y, radius, from: degrees, to: degrees).segments.first
            else {
                return .init(x, y)
            }
            return point
        }
        let (first, last) = (end(from), end(to))
        return .lines(first.x, first.y, last.x, last.y)
    }

    private static func drops(_ columns: [Double], length: Double) -> SymbolArt {
        SymbolArt(lines: columns.map { .lines($0, 17.2, $0 - 0.42 * length, 17.2 + length * 0.92) })
    }

    private static func bolt(dx: Double) -> SymbolArt {
        SymbolArt(areas: [
            .lines(
                13.2 + dx,
                15,
                9.6 + dx,
                19.2,
                11.8 + dx,
                19.2,
                10.8 + dx,
                22.8,
                14.8 + dx,
                17.9,
                12.5 + dx,
                17.9,
                closed: true
            )
        ])
    }

    private static let moon = SymbolArt(lines: [
        joined(.arc(11, 13, 8, from: 20, to: 280), .arc(16, 8.6, 5.2, from: 220, to: 55), closed: true)
    ])

    private static let snowflake = SymbolArt(
        lines: [0.0, 60, 120, 180, 240, 300].flatMap { degrees in
            let arm = ray(degrees + 30, 12, 12, from: 0, to: 9)
            guard case .move(let tip) = ray(degrees + 30, 12, 12, from: 5.6, to: 9).segments[0] else { return [arm] }
            return [
                arm,
                ray(degrees + 30 - 48, tip.x, tip.y, from: 0, to: 2.8),
                ray(degrees + 30 + 48, tip.x, tip.y, from: 0, to: 2.8),
            ]
        }
    )
}
