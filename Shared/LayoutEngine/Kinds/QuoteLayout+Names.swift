// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

extension QuoteLayout {
    /// A view of a quote with the names of its author and of its source, such as a book.
    ///
    /// The names have the form ``LayoutEnvironment/names``, and take the height that the quote's text leaves. If it is too
    /// low, the last name is omitted. If not all lines of the text fit, the view shows only the text.
    struct TextWithNames: View {
        let text: Label
        /// The labels of the names, from top to bottom, without their scale and their number of lines.
        let names: [Label]

        var isFlexible: Bool { true }

        func solve(in room: Room, _ environment: LayoutEnvironment) -> SolvedView? {
            guard !text.text.isEmpty else { return solveNames(in: room, environment) }
            guard var result = text.solve(in: Room(width: room.width, height: .infinity), environment),
                result.completeness < .cut, result.size.height <= room.height + Room.tolerance
            else { return text.solve(in: room, environment) }
            let rest = Room(width: room.width, height: room.height - result.size.height + Room.tolerance)
            guard let names = solveNames(in: rest, environment) else { return result }
            let height = result.size.height
            result.size.height += names.size.height
            result.append(names, x: 0, y: height)
            return result
        }

        /// Returns as many names as fit, one below the other; nil if not even one name fits.
        private func solveNames(in room: Room, _ environment: LayoutEnvironment) -> SolvedView? {
            for count in stride(from: names.count, to: 0, by: -1) {
                if let solved = solve(names.prefix(count), in: room, environment) { return solved }
            }
            return nil
        }

        /// Returns names in the environment's form; nil if they do not fit, or if a smaller form may keep an ordinary word
        /// whole.
        private func solve(
            _ names: some Collection<Label>,
            in room: Room,
            _ environment: LayoutEnvironment
        ) -> SolvedView? {
            let form = environment.names
            var result = SolvedView(size: Size(width: room.width, height: 0), views: [])
            // Only the words of the form that is used count.
            let own = environment.withNewFindings()
            let isTruncated = form.truncates && names.count == 1
            for name in names {
                let rest = Room(width: room.width, height: room.height - result.size.height)
                let label = form.label(name, isTruncated: isTruncated, environment)
                guard let solved = label.solve(in: rest, own), isTruncated || solved.completeness == .whole
                else { return nil }
                let top = result.size.height
                result.size.height += solved.size.height
                result.append(solved, x: 0, y: top)
            }
            if let words = own.findings {
                if !form.isSmallest, words.broken > words.brokenLongWords { return nil }
                environment.findings?.add(words)
            }
            result.completeness = form.isRegular ? .whole : .shortened
            return result
        }
    }

    /// The size of the names below a quote.
    struct NameForm: Hashable {
        /// The font size as a multiple of the font size of the quote's text.
        private let scale: Double
        /// A Boolean value that indicates whether no form has a smaller scale.
        fileprivate let isSmallest: Bool
        private let lineSpacing: Double
        /// A Boolean value that indicates whether a name without another one has one line, and is truncated if necessary.
        ///
        /// Of two names that are too long, the second one is omitted. So a name that is whole at a larger text size, where the
        /// other one is omitted, is whole.
        private(set) var truncates = false

        fileprivate var isRegular: Bool { scale == nameScale }

        static let regular = NameForm(scale: nameScale, isSmallest: false, lineSpacing: QuoteLayout.lineSpacing)
        /// The scales in the order in which they are tried after the regular one.
        private static let smaller = [0.75, 0.65]
        /// The scales that are tried after ``smaller`` at accessibility text sizes.
        private static let smallestOfLargeType = [0.55, 0.45, 0.4]
        private static let lineSpacingOfSmaller = 1.1
        /// The minimum font size of names at accessibility text sizes, in points, unless ``regular`` names are smaller.
        ///
        /// This is the ordinary size of the names at the largest other text size.
        private static let smallestOfLargeText = 20.0

        private init(scale: Double, isSmallest: Bool, lineSpacing: Double) {
            self.scale = scale
            self.isSmallest = isSmallest
            self.lineSpacing = lineSpacing
        }

        /// Returns the forms in the order in which they are tried.
        static func all(in environment: LayoutEnvironment) -> [NameForm] {
            let scales = smaller + (environment.isAccessibilitySize ? smallestOfLargeType : [])
            let smallest = scales[scales.count - 1]
            var truncated = NameForm(scale: smallest, isSmallest: true, lineSpacing: lineSpacingOfSmaller)
            truncated.truncates = true
            return [regular]
                + scales.map { NameForm(scale: $0, isSmallest: $0 == smallest, lineSpacing: lineSpacingOfSmaller) }
                + [truncated]
        }

        /// Returns the font size of the names below a text of the size `text`, in points.
        func size(below text: Double, in environment: LayoutEnvironment) -> Double {
            let regular = (nameScale * text).rounded()
            let least =
                environment.isAccessibilitySize
                ? max(min(Self.smallestOfLargeText, regular), DynamicType.smallestSize) : DynamicType.smallestSize
            return min(max((scale * text).rounded(), least), text)
        }

        /// Returns the label of a name in this form.
        fileprivate func label(_ name: Label, isTruncated: Bool, _ environment: LayoutEnvironment) -> Label {
            let text = environment.font(.body).size
            var name = name
            let size = size(below: text, in: environment)
            name.scale = (scale * text).rounded() == size ? scale : size / text
            name.lineSpacing = lineSpacing
            name.maximumLines = isTruncated ? 1 : maximumNameLines
            return name
        }
    }
}
