// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The captions of quick actions, in the largest font at which no word is broken and no caption is cut.
///
/// All captions have the same font size. Only if a minority of captions is much longer than the others, the long ones
/// get a smaller font. At accessibility text sizes, the width of an action is too small for larger captions, so only
/// the symbols grow.
struct ActionCaptions {
    /// The font scales that are tried, from the largest to the smallest, as factors of the text style's font size.
    private static let scales = [1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3]
    /// The minimum font size in points (Human Interface Guidelines, "Widgets").
    private static let smallestSize = 11.0
    /// The maximum difference between the font scales of two captions at which both get the same font size.
    ///
    /// If the difference is larger, the long captions are smaller than the others.
    private static let largestStep = 0.2
    /// The minimum font scale of a caption that is cut, as a fraction of the font scale of the other captions.
    private static let smallestPartOfCut = 0.6
    private static let style = LayoutFont.Style.caption1

    /// The font scale and the number of lines of one caption.
    private struct Fit {
        var scale: Double
        /// The number of lines of the caption at `scale`.
        var lines: Int
        /// A Boolean value that indicates whether the caption is neither cut nor broken within a word.
        var isWhole: Bool
        /// A Boolean value that indicates whether the caption has a word that is too wide even at the smallest font
        /// scale.
        ///
        /// Such a caption has a single line and is cut, because a word that is broken into two lines is harder to read.
        var isCut = false
    }

    private let fits: [String: Fit]
    /// The height of the highest caption, in points.
    let height: Double

    init(_ titles: [DisplayText], in room: Room, maximumLines: Int, _ environment: LayoutEnvironment) {
        let size = environment.font(Self.style).size
        let scales = Self.scales.filter { ($0 * size).rounded() >= Self.smallestSize || $0 == 1 }
        let fitter = Fitter(room: room, maximumLines: maximumLines, environment: environment)
        var fits = titles.map { fitter.fit($0, scales) }
        let common = Self.commonScale(fits)
        for index in fits.indices {
            if fits[index].isCut {
                // This caption is cut at every size, so it need not be much smaller than the others.
                fits[index].scale = scales.last { $0 >= common * Self.smallestPartOfCut } ?? common
            } else if fits[index].scale > common {
                // The caption is fitted again, because the number of lines depends on the scale.
                fits[index] = fitter.fit(titles[index], scales.filter { $0 <= common })
            }
        }
        var heights = [0.0]
        for (title, fit) in zip(titles, fits) where !title.isEmpty {
            heights.append(Double(fit.lines) * fitter.font(fit.scale).leading)
        }
        height = environment.area.grid.up(heights.max() ?? 0)
        self.fits = Dictionary(zip(titles.map(\.string), fits)) { first, _ in first }
        // If the captions do not grow with the symbols, the symbols are too large: this scale is rejected.
        let isLarge = fits.allSatisfy { $0.isWhole && $0.scale >= 1 - Self.largestStep }
        if !isLarge { environment.findings?.broken += 1 }
    }

    func label(of action: QuickAction, alignment: Label.Alignment) -> Label {
        let title = DisplayText(action.title)
        let fit = fits[title.string]
        return Label(
            title,
            Self.style,
            scale: fit?.scale ?? 1,
            lines: fit?.lines ?? 1,
            alignment: alignment,
            priority: 1
        )
    }

    /// Returns the font scale that the captions have in common; a minority of long captions gets smaller scales.
    private static func commonScale(_ fits: [Fit]) -> Double {
        // Captions that are cut do not make the others smaller.
        let scales = fits.filter { !$0.isCut }.map(\.scale).sorted()
        for index in scales.indices.dropFirst()
        where 2 * index < scales.count && scales[index] - scales[index - 1] > largestStep - Room.tolerance {
            return scales[index]
        }
        return scales.first ?? 1
    }

    /// The search for the scale and the number of lines of one caption.
    private struct Fitter {
        let room: Room
        let maximumLines: Int
        let environment: LayoutEnvironment

        func font(_ scale: Double) -> LayoutFont {
            LayoutFont(
                ActionCaptions.style,
                .regular,
                scale: scale * environment.typeScale,
                in: environment.contentSizeCategory
            )
        }

        /// Returns the largest of `scales` at which a caption fits, with the number of lines.
        ///
        /// `scales` must be in descending order; if the caption fits at none of them, the result has the last one. A
        /// smaller font with whole words is preferred to a larger font with broken words. A line may break between
        /// ideographs.
        func fit(_ title: DisplayText, _ scales: [Double]) -> Fit {
            for partsIdeographs in [false, true] {
                for scale in scales {
                    guard let lines = lines(of: title, at: scale, partsIdeographs: partsIdeographs) else { continue }
                    return Fit(scale: scale, lines: lines, isWhole: !partsIdeographs)
                }
            }
            let smallest = scales.last ?? 1
            let isCut = !isWhole(title, font(smallest), partsIdeographs: true)
            let lines = isCut ? 1 : self.lines(at: smallest)
            return Fit(scale: smallest, lines: lines, isWhole: false, isCut: isCut)
        }

        /// Returns the number of lines that fit the available height at a font scale: at least 1, at most
        /// `maximumLines`.
        private func lines(at scale: Double) -> Int {
            max(min(maximumLines, Int((room.height + Room.tolerance) / font(scale).leading)), 1)
        }

        /// Returns the number of lines of a title at a font scale; nil if the title would be cut, or broken within a
        /// word.
        ///
        /// If `partsIdeographs` is true, words with kana or ideographs may be broken.
        private func lines(of title: DisplayText, at scale: Double, partsIdeographs: Bool) -> Int? {
            guard !title.isEmpty else { return 0 }
            let font = font(scale)
            let most = min(maximumLines, Int((room.height + Room.tolerance) / font.leading))
            let lines = environment.measure(title, font: font, width: room.width, maximumLines: most)
            guard !lines.isEmpty, !Label.isCut(lines, of: title) else { return nil }
            if lines.count == 1 { return 1 }
            return isWhole(title, font, partsIdeographs: partsIdeographs) ? lines.count : nil
        }

        /// Returns whether each word of a title is at most as wide as the available space.
        ///
        /// If `partsIdeographs` is true, words with kana or ideographs may be wider, because lines may break within
        /// them.
        private func isWhole(_ title: DisplayText, _ font: LayoutFont, partsIdeographs: Bool) -> Bool {
            title.string.split(separator: " ").allSatisfy { word in
                partsIdeographs && word.unicodeScalars.contains { $0.value >= Self.firstOfKana }
                    || environment.width(of: DisplayText(String(word)), font: font) <= room.width
            }
        }

        /// The lowest Unicode scalar value of kana; the values of ideographs are higher.
        private static let firstOfKana: UInt32 = 0x3040
    }
}
