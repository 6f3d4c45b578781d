// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

extension SymbolArt {
    /// Returns nil if there is no such name.
    static func thing(_ name: String) -> SymbolArt? {
        switch name {
        // What widgets show of themselves.
        case "arrow.clockwise":
            SymbolArt(
                lines: [.arc(12, 12.5, 7.5, from: 10, to: 305)],
                areas: [.lines(19.6, 4.2, 20, 10, 14.4, 8.8, closed: true)]
            )
        case "newspaper":
            SymbolArt(
                lines: [
                    .box(3, 5, 15, 15, radius: 2),
                    joined(
                        .lines(18, 9.5, 19.5, 9.5),
                        .arc(19.5, 11, 1.5, from: -90, to: 0),
                        .lines(21, 18, 21, 18),
                        .arc(19.5, 18.5, 1.5, from: 0, to: 100)
                    ),
                    .lines(12.5, 9, 15, 9), .lines(12.5, 12, 15, 12), .lines(6, 16, 15, 16),
                ],
                areas: [.box(5.6, 8.2, 4.8, 4.8, radius: 0.8)]
            )
        case "info.circle":
            ring
                + SymbolArt(
                    lines: [.lines(10.6, 11, 12.2, 11, 12.2, 16.4), .lines(10.4, 16.4, 14, 16.4)],
                    areas: [.circle(12, 7.7, 1.25)]
                )
        case "info":
            SymbolArt(
                lines: [.lines(10, 10, 12.2, 10, 12.2, 18.5), .lines(9.6, 18.5, 14.8, 18.5)],
                areas: [.circle(12, 5.4, 1.5)]
            )
        case "quote.opening":
            SymbolArt(
                lines: [.arc(11, 11, 6, from: 180, to: 255), .arc(20, 11, 6, from: 180, to: 255)],
                areas: [.box(4.2, 11, 6, 7, radius: 1.8), .box(13.2, 11, 6, 7, radius: 1.8)]
            )
        case "list.bullet":
            SymbolArt(
                lines: [.lines(9, 6.5, 20, 6.5), .lines(9, 12, 20, 12), .lines(9, 17.5, 20, 17.5)],
                areas: [.circle(4.8, 6.5, 1.35), .circle(4.8, 12, 1.35), .circle(4.8, 17.5, 1.35)]
            )
        case "questionmark":
            SymbolArt(lines: [question(scale: 1.35)], areas: [.circle(12, 19.2, 1.4)])
        case "questionmark.circle":
            ring + SymbolArt(lines: [question(scale: 0.85)], areas: [.circle(12, 16.6, 1.15)])

        // Documents.
        case "doc":
            sheet
        case "doc.text":
            sheet + SymbolArt(lines: [.lines(8.6, 13, 15.4, 13), .lines(8.6, 16.6, 15.4, 16.6)])
        case "doc.richtext":
            sheet
                + SymbolArt(
                    lines: [.lines(8.6, 17.4, 15.4, 17.4)],
                    areas: [.lines(8.4, 15, 11, 10.6, 12.8, 13.2, 13.8, 12, 15.6, 15, closed: true)]
                )
        case "doc.on.doc":
            SymbolArt(lines: [
                .box(8.5, 3, 11.5, 14, radius: 2),
                joined(
                    .lines(8.5, 7, 6, 7),
                    .arc(6, 9, 2, from: 270, to: 180),
                    .lines(4, 12, 4, 12),
                    .arc(6, 19, 2, from: 180, to: 90),
                    .lines(13.5, 21, 13.5, 21),
                    .arc(13.5, 19, 2, from: 90, to: 0),
                    .lines(15.5, 17, 15.5, 17)
                ),
            ])
        case "doc.viewfinder":
            viewfinder
                + SymbolArt(lines: [
                    .box(8, 6.8, 8, 10.4, radius: 1.4), .lines(10.4, 10.6, 13.6, 10.6), .lines(10.4, 13.4, 13.6, 13.4),
                ])
        case "viewfinder":
            viewfinder
        case "qrcode":
            SymbolArt(
                lines: [.box(4, 4, 6, 6, radius: 1), .box(14, 4, 6, 6, radius: 1), .box(4, 14, 6, 6, radius: 1)],
                areas: [
                    .box(14, 14, 2.4, 2.4, radius: 0.4), .box(17.8, 14, 2.4, 2.4, radius: 0.4),
                    .box(15.9, 16, 2.4, 2.4, radius: 0.4), .box(14, 18, 2.4, 2.4, radius: 0.4),
                    .box(17.8, 18, 2.4, 2.4, radius: 0.4),
                ]
            )
        case "folder":
            SymbolArt(lines: [
                joined(
                    .arc(5, 7, 2, from: 180, to: 270),
                    .lines(9.2, 5, 11.2, 7.2),
                    .arc(19, 9.2, 2, from: 270, to: 360),
                    .arc(19, 17.5, 2, from: 0, to: 90),
                    .arc(5, 17.5, 2, from: 90, to: 180),
                    closed: true
                )
            ])
        case "note":
            SymbolArt(lines: [
                .box(4, 4, 16, 16, radius: 2.5), .lines(8, 9, 16, 9), .lines(8, 12.5, 16, 12.5),
                .lines(8, 16, 12.5, 16),
            ])
        case "tablecells":
            SymbolArt(lines: [
                .box(3, 5, 18, 14, radius: 2), .lines(3, 9.8, 21, 9.8), .lines(3, 14.4, 21, 14.4),
                .lines(9.5, 5, 9.5, 19),
            ])
        case "book":
            SymbolArt(lines: [
                joined(
                    .lines(12, 7, 12, 7),
                    .arc(8.5, 7.5, 3.5, from: 0, to: -90),
                    .lines(4, 4, 3, 4, 3, 17.5, 8.5, 17.5),
                    .arc(8.5, 21, 3.5, from: -90, to: 0)
                ),
                joined(
                    .lines(12, 7, 12, 7),
                    .arc(15.5, 7.5, 3.5, from: 180, to: 270),
                    .lines(20, 4, 21, 4, 21, 17.5, 15.5, 17.5),
                    .arc(15.5, 21, 3.5, from: 270, to: 180)
                ),
                .lines(12, 7.5, 12, 20.5),
            ])
        case "bookmark":
            SymbolArt(lines: [
                joined(
                    .arc(8.5, 5, 2, from: 180, to: 270),
                    .arc(15.5, 5, 2, from: 270, to: 360),
                    .lines(
                        17.5,
                        20.5,
                        12,
                        16.2,
                        6.5,
                        20.5
                    ),
                    closed: true
                )
            ])
        case "photo":
            SymbolArt(
                lines: [.box(3, 5, 18, 14, radius: 2.5), .lines(3.6, 17, 9, 11.5, 13, 15.5, 16, 12.8, 20.4, 16.8)],
                areas: [.circle(15.4, 9.2, 1.5)]
            )
        case "music.note":
            SymbolArt(
                lines: [.lines(9.5, 17.5, 9.5, 6, 18, 4, 18, 15.5)],
                areas: [.circle(7.4, 17.6, 2.6), .circle(15.9, 15.6, 2.6)]
            )

        // What a tap does.
        case "square.and.pencil":
            SymbolArt(lines: [
                joined(
                    .lines(12, 5, 7, 5),
                    .arc(7, 8, 3, from: 270, to: 180),
                    .arc(7, 17, 3, from: 180, to: 90),
                    .arc(16, 17, 3, from: 90, to: 0),
                    .lines(19, 12, 19, 12)
                ),
                .lines(19.4, 2.8, 21.4, 4.8, 13.2, 13, 10.4, 13.8, 11.2, 11, closed: true),
            ])
        case "square.and.arrow.up":
            SymbolArt(lines: [
                joined(
                    .lines(9, 9, 7, 9),
                    .arc(7, 11, 2, from: 270, to: 180),
                    .arc(7, 19, 2, from: 180, to: 90),
                    .arc(17, 19, 2, from: 90, to: 0),
                    .arc(17, 11, 2, from: 0, to: -90),
                    .lines(17, 9, 15, 9)
                ),
                .lines(12, 15, 12, 3), .lines(8.6, 6.2, 12, 2.8, 15.4, 6.2),
            ])
        case "pencil":
            SymbolArt(lines: [
                .lines(16.6, 4, 20, 7.4, 8.6, 18.8, 4, 20, 5.2, 15.4, closed: true), .lines(14, 6.6, 17.4, 10),
            ])
        case "plus":
            SymbolArt(lines: [.lines(12, 4.5, 12, 19.5), .lines(4.5, 12, 19.5, 12)])
        case "plus.circle":
            ring + SymbolArt(lines: [.lines(12, 8, 12, 16), .lines(8, 12, 16, 12)])
        case "minus":
            SymbolArt(lines: [.lines(4.5, 12, 19.5, 12)])
        case "magnifyingglass":
            SymbolArt(lines: [.circle(10.4, 10.4, 6.6), .lines(15.3, 15.3, 20.6, 20.6)])
        case "camera":
            SymbolArt(lines: [
                joined(
                    .arc(5, 9, 2, from: 180, to: 270),
                    .lines(8, 7, 9.4, 4.8, 14.6, 4.8, 16, 7),
                    .arc(19, 9, 2, from: 270, to: 360),
                    .arc(19, 17.5, 2, from: 0, to: 90),
                    .arc(5, 17.5, 2, from: 90, to: 180),
                    closed: true
                ),
                .circle(12, 13.2, 3.6),
            ])
        case "mic":
            SymbolArt(lines: [
                .box(9, 3, 6, 11, radius: 3), .arc(12, 11, 6.4, from: 0, to: 180), .lines(12, 17.4, 12, 21),
                .lines(8.6, 21, 15.4, 21),
            ])
        case "video":
            SymbolArt(lines: [
                .box(2.6, 6.5, 12.8, 11, radius: 2.4), .lines(15.4, 11, 21, 7.8, 21, 16.2, 15.4, 13, closed: true),
            ])
        case "play":
            SymbolArt(areas: [.lines(7, 4.4, 19.6, 12, 7, 19.6, closed: true)])
        case "pause":
            SymbolArt(areas: [.box(6.2, 4.6, 4.2, 14.8, radius: 1), .box(13.6, 4.6, 4.2, 14.8, radius: 1)])
        case "paperplane":
            SymbolArt(lines: [
                .lines(21, 3, 14.2, 21, 10.6, 13.4, 3, 9.8, closed: true), .lines(10.6, 13.4, 21, 3),
            ])
        case "trash":
            SymbolArt(lines: [
                .lines(4.5, 6.5, 19.5, 6.5), .lines(9, 6.5, 9.6, 3.6, 14.4, 3.6, 15, 6.5),
                .lines(6, 6.5, 7, 20.4, 17, 20.4, 18, 6.5), .lines(10.2, 10, 10.5, 17), .lines(13.8, 10, 13.5, 17),
            ])
        case "link":
            SymbolArt(lines: [
                joined(.lines(10.5, 16.5, 8, 16.5), .arc(8, 12, 4.5, from: 90, to: 270), .lines(8, 7.5, 10.5, 7.5)),
                joined(.lines(13.5, 7.5, 16, 7.5), .arc(16, 12, 4.5, from: -90, to: 90), .lines(16, 16.5, 13.5, 16.5)),
                .lines(9, 12, 15, 12),
            ])
        case "tray":
            SymbolArt(lines: [
                .lines(3, 13, 6.4, 5, 17.6, 5, 21, 13, 21, 19, 3, 19, closed: true),
                .lines(3, 13, 8.4, 13, 9.6, 15.6, 14.4, 15.6, 15.6, 13, 21, 13),
            ])
        case "gearshape":
            SymbolArt(lines: [
                .circle(12, 12, 6), .circle(12, 12, 2.4), .lines(12, 3, 12, 6), .lines(12, 18, 12, 21),
                .lines(3, 12, 6, 12), .lines(18, 12, 21, 12), .lines(5.64, 5.64, 7.76, 7.76),
                .lines(16.24, 16.24, 18.36, 18.36), .lines(5.64, 18.36, 7.76, 16.24), .lines(16.24, 7.76, 18.36, 5.64),
            ])
        case "ellipsis":
            SymbolArt(areas: [.circle(5.4, 12, 1.7), .circle(12, 12, 1.7), .circle(18.6, 12, 1.7)])

        // People, places, times.
        case "house":
            SymbolArt(lines: [
                .lines(3, 11.6, 12, 4, 21, 11.6), .lines(5.6, 9.6, 5.6, 20, 18.4, 20, 18.4, 9.6),
                .lines(10, 20, 10, 14.4, 14, 14.4, 14, 20),
            ])
        case "person":
            SymbolArt(lines: [
                .circle(12, 7.8, 3.8), joined(.arc(12, 20.6, 7.4, from: 180, to: 360), closed: true),
            ])
        case "envelope":
            SymbolArt(lines: [.box(3, 5.5, 18, 13, radius: 2), .lines(3.8, 7, 12, 13.2, 20.2, 7)])
        case "calendar":
            SymbolArt(
                lines: [
                    .box(3.6, 5, 16.8, 15.4, radius: 2.4), .lines(3.6, 9.8, 20.4, 9.8), .lines(8, 2.9, 8, 6.6),
                    .lines(16, 2.9, 16, 6.6),
                ],
                areas: [
                    .circle(8, 13.4, 1.1), .circle(12, 13.4, 1.1), .circle(16, 13.4, 1.1), .circle(8, 16.9, 1.1),
                    .circle(12, 16.9, 1.1),
                ]
            )
        case "clock":
            ring + SymbolArt(lines: [.lines(12, 6.8, 12, 12, 15.6, 14.2)])
        case "location":
            SymbolArt(lines: [.lines(20.6, 3.4, 13.4, 20.6, 11.6, 12.4, 3.4, 10.6, closed: true)])
        case "mappin":
            SymbolArt(lines: [
                .circle(12, 7, 3.8), .lines(12, 10.8, 12, 20.8),
            ])
        case "map":
            SymbolArt(lines: [
                .lines(3.4, 6.4, 9, 4, 15, 6.4, 20.6, 4, 20.6, 17.6, 15, 20, 9, 17.6, 3.4, 20, closed: true),
                .lines(9, 4, 9, 17.6), .lines(15, 6.4, 15, 20),
            ])
        case "globe":
            ring
                + SymbolArt(lines: [
                    .lines(3, 12, 21, 12),
                    VectorPath([
                        .move(.init(12, 3)), .curve(.init(16.8, 7.4), .init(16.8, 16.6), .init(12, 21)),
                        .curve(.init(7.2, 16.6), .init(7.2, 7.4), .init(12, 3)), .close,
                    ]),
                ])
        case "phone":
            SymbolArt(lines: [
                .box(7, 2.8, 10, 18.4, radius: 2.2), .lines(10.8, 18.2, 13.2, 18.2),
            ])
        case "cart":
            SymbolArt(
                lines: [.lines(2.6, 4.4, 5.4, 4.4, 8, 15.6, 18, 15.6, 20.4, 7.4, 6.2, 7.4)],
                areas: [.circle(9.2, 19.2, 1.5), .circle(16.8, 19.2, 1.5)]
            )

        // Signs.
        case "star":
            SymbolArt(lines: [
                .lines(
                    12,
                    2.9,
                    14.7,
                    8.7,
                    21,
                    9.5,
                    16.3,
                    13.8,
                    17.6,
                    20.1,
                    12,
                    17,
                    6.4,
                    20.1,
                    7.7,
                    13.8,
                    3,
                    9.5,
                    9.3,
                    8.7,
                    closed: true
                )
            ])
        case "heart":
            SymbolArt(lines: [
                VectorPath([
                    .move(.init(12, 20.2)), .curve(.init(5.6, 15.8), .init(3.2, 12.6), .init(3.2, 9.2)),
                    .curve(.init(3.2, 3.8), .init(9.6, 2.6), .init(12, 7.2)),
                    .curve(.init(14.4, 2.6), .init(20.8, 3.8), .init(20.8, 9.2)),
                    .curve(.init(20.8, 12.6), .init(18.4, 15.8), .init(12, 20.2)), .close,
                ])
            ])
        case "bell":
            SymbolArt(lines: [
                joined(
                    .lines(4.4, 17.4, 6, 15),
                    .arc(12, 9.6, 6, from: 180, to: 360),
                    .lines(18, 15, 19.6, 17.4),
                    closed: true
                ),
                .arc(12, 17.8, 2.6, from: 20, to: 160),
            ])
        case "bolt":
            SymbolArt(lines: [.lines(13.6, 2.8, 5, 13.6, 11.2, 13.6, 10.4, 21.2, 19, 10.4, 12.8, 10.4, closed: true)])
        case "flag":
            SymbolArt(lines: [.lines(5.5, 21, 5.5, 4), .lines(5.5, 4.6, 18.5, 4.6, 15.4, 9, 18.5, 13.4, 5.5, 13.4)])
        case "tag":
            SymbolArt(
                lines: [.lines(3.4, 3.8, 11.6, 3.8, 20.6, 12.8, 12.8, 20.6, 3.8, 11.6, closed: true)],
                areas: [.circle(8, 8.2, 1.4)]
            )
        case "chart.bar":
            SymbolArt(areas: [
                .box(4, 12, 4, 8, radius: 0.8), .box(10, 7.4, 4, 12.6, radius: 0.8), .box(16, 4, 4, 16, radius: 0.8),
            ])
        case "checkmark":
            SymbolArt(lines: [.lines(4.6, 12.8, 9.6, 18, 19.4, 6)])
        case "checkmark.circle":
            ring + SymbolArt(lines: [.lines(8, 12.4, 11, 15.6, 16.2, 8.8)])
        case "xmark":
            SymbolArt(lines: [.lines(6, 6, 18, 18), .lines(18, 6, 6, 18)])
        case "xmark.circle":
            ring + SymbolArt(lines: [.lines(9, 9, 15, 15), .lines(15, 9, 9, 15)])
        case "exclamationmark.circle":
            ring + SymbolArt(lines: [.lines(12, 7.2, 12, 13)], areas: [.circle(12, 16.5, 1.2)])
        case "exclamationmark.triangle":
            SymbolArt(
                lines: [.lines(12, 4, 21.4, 20, 2.6, 20, closed: true), .lines(12, 9.8, 12, 14.4)],
                areas: [.circle(12, 17.2, 1.1)]
            )
        case "arrow.down":
            SymbolArt(lines: [.lines(12, 4, 12, 20), .lines(5.4, 13.4, 12, 20, 18.6, 13.4)])
        case "arrow.right":
            SymbolArt(lines: [.lines(4, 12, 20, 12), .lines(13.4, 5.4, 20, 12, 13.4, 18.6)])
        case "arrow.up":
            SymbolArt(lines: [.lines(12, 20, 12, 4), .lines(5.4, 10.6, 12, 4, 18.6, 10.6)])
        case "chevron.down":
            SymbolArt(lines: [.lines(5, 9, 12, 16, 19, 9)])
        case "chevron.right":
            SymbolArt(lines: [.lines(9, 5, 16, 12, 9, 19)])
        case "chevron.up":
            SymbolArt(lines: [.lines(5, 15, 12, 8, 19, 15)])
        case "hammer":
            SymbolArt(lines: [
                .lines(12.4, 9.8, 4.4, 18, 6.4, 20, 14.4, 11.8),
                .lines(9.4, 6.6, 13.6, 3.2, 20.4, 10, 17, 13.4, closed: true),
            ])
        default: nil
        }
    }

    private static let ring = SymbolArt(lines: [.circle(12, 12, 9)])

    private static let sheet = SymbolArt(lines: [
        joined(
            .arc(7, 5, 2, from: 180, to: 270),
            .lines(13.4, 3, 19, 8.6),
            .arc(17, 19, 2, from: 0, to: 90),
            .arc(7, 19, 2, from: 90, to: 180),
            closed: true
        ),
        .lines(13.4, 3.4, 13.4, 8.6, 18.6, 8.6),
    ])

    private static let viewfinder = SymbolArt(lines: [
        joined(.lines(3.4, 8, 3.4, 6.4), .arc(6.4, 6.4, 3, from: 180, to: 270), .lines(8, 3.4, 8, 3.4)),
        joined(.lines(16, 3.4, 17.6, 3.4), .arc(17.6, 6.4, 3, from: 270, to: 360), .lines(20.6, 8, 20.6, 8)),
        joined(.lines(20.6, 16, 20.6, 17.6), .arc(17.6, 17.6, 3, from: 0, to: 90), .lines(16, 20.6, 16, 20.6)),
        joined(.lines(8, 20.6, 6.4, 20.6), .arc(6.4, 17.6, 3, from: 90, to: 180), .lines(3.4, 16, 3.4, 16)),
    ])

    /// The hook above the dot, around the square's middle.
    private static func question(scale: Double) -> VectorPath {
        let (y, radius) = (12 - 3.1 * scale, 2.9 * scale)
        return joined(.arc(12, y, radius, from: 190, to: 405), .lines(12, y + 4.2 * scale, 12, y + 5 * scale))
    }
}
