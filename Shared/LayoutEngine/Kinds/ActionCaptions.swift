// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The captions of quick actions, all in the largest font at which none is cut and no ordinary word is broken.
///
/// A word of more than 16 letters, or with soft hyphens, stays whole if this shrinks the captions by at most a fifth.
/// Otherwise, the word is broken at a soft hyphen. If it has no soft hyphen, or if its parts do not fit, a word of more
/// than 16 letters is broken into parts of similar lengths. A caption that does not fit even in the smallest font does
/// not shrink the others.
struct ActionCaptions {
    /// The smallest font scale that is tried, as a factor of the text style's font size.
    private static let smallestScale = 0.3
    /// The smallest font scale that is tried to keep a long word, or a word with soft hyphens, whole.
    ///
    /// A long word has more than ``WordBreaks/longestOrdinaryWord`` letters.
    private static let smallestOfLongWords = 0.8
    private static let style = LayoutFont.Style.caption1

    /// The visible text and the number of lines of each caption, by the action's title.
    private let captions: [String: (text: DisplayText, lines: Int)]
    /// The font scale of all captions.
    let scale: Double
    /// The height of the highest caption, in points.
    let height: Double

    init(_ titles: [DisplayText], in room: Room, maximumLines: Int, _ environment: LayoutEnvironment) {
        let size = environment.font(Self.style).size
        let scales = [1] + TypeLadder.descending(below: size, atLeast: Self.smallestScale * size).map { $0 / size }
        let fitter = Fitter(room: room, maximumLines: maximumLines, environment: environment)
        let fits = titles.map { fitter.fit($0, scales) }
        let common = fits.compactMap(\.self).map(\.scale).min() ?? 1
        var captions: [String: (text: DisplayText, lines: Int)] = [:]
        for (title, fit) in zip(titles, fits) where !title.isEmpty {
            // A caption has another number of lines at a smaller scale.
            let lines = fit.flatMap { fitter.lines(of: title, at: common, $0.breaks) } ?? 1
            captions[title.string] = (fitter.text(of: title, fit?.breaks ?? .none), lines)
        }
        scale = common
        let lines = captions.values.reduce(0) { max($0, $1.lines) }
        height = environment.area.grid.up(Double(lines) * fitter.font(common).leading)
        self.captions = captions
        let isLarge = fits.allSatisfy { $0.map { $0.breaks != .ideographs } ?? false }
        if !isLarge || common < Self.smallestOfLongWords { environment.findings?.broken += 1 }
    }

    func label(of action: QuickAction, alignment: Label.Alignment) -> Label {
        let title = DisplayText(action.title)
        let caption = captions[title.string]
        return Label(
            caption?.text ?? title,
            Self.style,
            scale: scale,
            lines: caption?.lines ?? 1,
            alignment: alignment,
            keepsSize: true,
            balancesParts: true,
            priority: 1
        )
    }

    /// The class of words in a caption that may be broken across lines.
    private enum Breaks {
        case none
        /// Words with soft hyphens; a line may end only at a soft hyphen.
        case softHyphens
        /// Words of more than ``WordBreaks/longestOrdinaryWord`` letters.
        case longWords
        /// Words that contain kana or ideographs; a line may end between two of these characters.
        case ideographs
    }

    /// The best font scale for one caption, and the class of words that may be broken at this scale.
    private struct Fit {
        let scale: Double
        let breaks: Breaks
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
                scale: scale,
                typeScale: environment.typeScale,
                in: environment.contentSizeCategory
            )
        }

        /// Returns the best of `scales` for a caption; nil if the caption fits at none of them.
        ///
        /// `scales` must be in descending order. The best scale is the largest one at which the caption fits with whole
        /// words. If a word has soft hyphens or more than ``WordBreaks/longestOrdinaryWord`` letters, whole words are
        /// tried only at scales of at least ``smallestOfLongWords``. If there is no such scale, words may be broken:
        /// the best scale is the largest one at which the caption then fits. Breaks at soft hyphens are tried first, at
        /// all scales.
        func fit(_ title: DisplayText, _ scales: [Double]) -> Fit? {
            let isLong = WordBreaks.hasLongWord(title.withoutSoftHyphens)
            let hasHyphens = title.withoutSoftHyphens != title.string
            let whole = scales.filter { !isLong && !hasHyphens || $0 >= smallestOfLongWords }
            if let first = whole.first(where: { lines(of: title, at: $0, .none) != nil }) {
                return Fit(scale: first, breaks: .none)
            }
            for breaks in [hasHyphens ? Breaks.softHyphens : nil, isLong ? .longWords : .ideographs] {
                guard let breaks, let first = scales.first(where: { lines(of: title, at: $0, breaks) != nil }) else {
                    continue
                }
                return Fit(scale: first, breaks: breaks)
            }
            return nil
        }

        /// Returns the visible text of a title; soft hyphens are removed unless `breaks` is `softHyphens`.
        func text(of title: DisplayText, _ breaks: Breaks) -> DisplayText {
            breaks == .softHyphens ? title : DisplayText(title.withoutSoftHyphens)
        }

        /// Returns the number of lines of a title at a font scale; nil if the title does not fit.
        ///
        /// A title does not fit if it would be cut, or if a line would end within a word that must not be broken.
        /// `breaks` determines which words may be broken.
        func lines(of title: DisplayText, at scale: Double, _ breaks: Breaks) -> Int? {
            guard !title.isEmpty else { return 0 }
            let font = font(scale)
            let most = min(maximumLines, Int((room.height + Room.tolerance) / font.leading))
            let text = text(of: title, breaks)
            let lines = environment.measure(text, font: font, width: room.width, maximumLines: most)
            guard !lines.isEmpty, !Label.isCut(lines) else { return nil }
            if lines.count == 1 { return 1 }
            return isWhole(text, font, breaks) ? lines.count : nil
        }

        /// Returns whether each word of a text fits the available width, or may be broken according to `breaks`.
        ///
        /// A word with soft hyphens counts as several words.
        private func isWhole(_ text: DisplayText, _ font: LayoutFont, _ breaks: Breaks) -> Bool {
            text.string.split { $0 == " " || $0 == "\u{AD}" }.allSatisfy { word in
                let mayBreak =
                    switch breaks {
                    case .none, .softHyphens: false
                    case .longWords: WordBreaks.hasLongWord(String(word))
                    case .ideographs: word.unicodeScalars.contains { $0.value >= Self.firstOfKana }
                    }
                return mayBreak || environment.width(of: DisplayText(String(word)), font: font) <= room.width
            }
        }

        /// The lowest Unicode scalar value of kana; the values of ideographs are higher.
        private static let firstOfKana: UInt32 = 0x3040
    }
}
