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
            environment.findings?.hasNames = !names.isEmpty
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
        ///
        /// Of several names, none is truncated.
        private func solveNames(in room: Room, _ environment: LayoutEnvironment) -> SolvedView? {
            for count in stride(from: environment.names.truncates ? min(1, names.count) : names.count, to: 0, by: -1) {
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
            for name in names {
                let rest = Room(width: room.width, height: room.height - result.size.height)
                let label = form.label(name, environment)
                guard let solved = label.solve(in: rest, own), form.truncates || solved.completeness == .whole
                else { return nil }
                let top = result.size.height
                result.size.height += solved.size.height
                result.append(solved, x: 0, y: top)
            }
            if let words = own.findings {
                // An ordinary word is broken only in the last form of a single name; a second name gives way.
                if !form.isSmallest || names.count > 1, words.broken > words.brokenLongWords { return nil }
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
        /// A Boolean value that indicates whether only one name is shown, in one line, and truncated if necessary.
        private(set) var truncates = false

        fileprivate var isRegular: Bool { scale == nameScale }

        static let regular = NameForm(scale: nameScale, isSmallest: false, lineSpacing: QuoteLayout.lineSpacing)
        /// The scales in the order in which they are tried after the regular one.
        private static let smaller = [0.75, smallestOfText]
        /// The scales that are tried after ``smaller`` at accessibility text sizes, at which names can have more than 20 points.
        private static let smallestOfLargeType = [0.55, 0.45, 0.4]
        /// The smallest scale of names that are smaller than ``largestMinimum``.
        private static let smallestOfText = 0.65
        private static let lineSpacingOfSmaller = 1.1
        /// The maximum of the minimum font size of names, in points.
        ///
        /// This is the ordinary size of the names at the largest text size that is no accessibility size.
        private static let largestMinimum = 20.0

        private init(scale: Double, isSmallest: Bool, lineSpacing: Double) {
            self.scale = scale
            self.isSmallest = isSmallest
            self.lineSpacing = lineSpacing
        }

        /// Returns the forms in which names are whole, in the order in which they are tried.
        static func whole(in environment: LayoutEnvironment) -> [NameForm] {
            let scales = scales(in: environment)
            return [regular]
                + scales.map { NameForm(scale: $0, isSmallest: $0 == scales.last, lineSpacing: lineSpacingOfSmaller) }
        }

        /// Returns the form in which a name is truncated.
        static func truncated(in environment: LayoutEnvironment) -> NameForm {
            let smallest = scales(in: environment).last ?? smallestOfText
            var form = NameForm(scale: smallest, isSmallest: true, lineSpacing: lineSpacingOfSmaller)
            form.truncates = true
            return form
        }

        private static func scales(in environment: LayoutEnvironment) -> [Double] {
            smaller + (environment.isAccessibilitySize ? smallestOfLargeType : [])
        }

        /// Returns the font size of the names below a text of the size `text`, in points.
        ///
        /// It does not depend on the user's text size. So names that fit below a text fit there at each larger text size, too.
        func size(below text: Double) -> Double {
            let smallest = (Self.smallestOfText * text).rounded()
            let least = max(min(Self.largestMinimum, smallest), DynamicType.smallestSize)
            return min(max((scale * text).rounded(), least), text)
        }

        /// Returns whether names below a text of the size `text` are the same in another form.
        func isEqual(to other: NameForm, below text: Double) -> Bool {
            (isSmallest, truncates, lineSpacing) == (other.isSmallest, other.truncates, other.lineSpacing)
                && size(below: text) == other.size(below: text)
        }

        /// Returns the label of a name in this form.
        fileprivate func label(_ name: Label, _ environment: LayoutEnvironment) -> Label {
            let text = environment.font(.body).size
            var name = name
            let size = size(below: text)
            name.scale = (scale * text).rounded() == size ? scale : size / text
            name.lineSpacing = lineSpacing
            name.maximumLines = truncates ? 1 : maximumNameLines
            return name
        }
    }
}
