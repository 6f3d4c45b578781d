// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Text
import WidgetSchema

/// Decoding of displays, their devices and their sizes.
extension ConfigurationDecoder {
    mutating func decodeDisplays(_ node: YAMLNode) -> ([Display], [String: [DisplayName]]) {
        var displays: [Display] = []
        var displayNames: [String: [DisplayName]] = [:]
        let entries = nodes.entries(node, "displays")
        if entries.isEmpty { nodes.fail(node.mark, "displays is empty; remove the key to use the default displays") }
        if entries.count > ConfigurationLimits.maximumDisplays {
            nodes.fail(node.mark, "more than \(ConfigurationLimits.maximumDisplays) displays")
        }
        for entry in entries {
            let variants = decodeDisplay(entry)
            // An invalid display is added too, so that widgets that name it do not cause further errors.
            displayNames[entry.key] = variants.map(\.name)
            for variant in variants {
                if displays.contains(where: { $0.name == variant.name }) {
                    nodes.fail(entry.keyMark, "two displays are called '\(variant.name)'")
                }
                displays.append(variant)
            }
        }
        return (displays, displayNames)
    }

    mutating func decodeDisplay(_ entry: YAMLNode.Entry) -> [Display] {
        let what = "display '\(entry.key)'"
        let name = nodes.identifier(entry.key, at: entry.keyMark, DisplayName.self)
        let keys = nodes.mapping(
            entry.value,
            what,
            known: [
                "device", "family", "width", "height", "compactHeight", "maximumHeight", "contentSizeCategory", "scale",
                "insets", "locale", "timeZone", "appearance", "hourCycle", "orientation", "column",
            ] + Self.panelKeys,
            foreign: .display
        )
        var family: Display.Family?
        if let choice = keys["family"] {
            family = nodes.choice(choice.value, choice.key, Display.Family.self, foreign: .families)
        } else {
            nodes.fail(entry.keyMark, "\(what) has no family (\(Self.families))")
        }
        let category =
            keys["contentSizeCategory"].flatMap { nodes.choice($0.value, $0.key, ContentSizeCategory.self) } ?? .large
        let device = keys["device"].flatMap { decodeDevice($0.value) }
        let scale = keys["scale"].flatMap { nodes.integer($0.value, $0.key, in: ConfigurationLimits.scale) }
        let edges = keys["insets"].map { nodes.insets($0.value) }
        let insets = edges.map {
            EdgeInsets(top: $0.top ?? 0, leading: $0.leading ?? 0, bottom: $0.bottom ?? 0, trailing: $0.trailing ?? 0)
        }
        let locale = decodeLocale(keys["locale"])
        let timeZone = checked(keys["timeZone"], Region.problem(timeZone:))
        let appearance = keys["appearance"].flatMap { nodes.choice($0.value, $0.key, Appearance.self) }
        let hourCycle = keys["hourCycle"].flatMap {
            nodes.choice($0.value, $0.key, Display.HourCycle.self, foreign: .hourCycles)
        }
        guard let name, let family else { return [] }
        let panel = family == .panel ? decodePanel(keys) : nil
        if family != .panel { refusePanelKeys(keys, of: family) }
        checkKeys(keys, of: family)
        let posture = posture(of: device, keys)
        let form = DisplayForm(device: device, family: family, category: category, posture: posture)
        let proposal = panel?.size ?? proposal(for: form, entry, keys)
        let isInPixels = panel?.isInPixels == true
        let compactHeight = length(keys["compactHeight"]) ?? proposal.compactHeight
        let maximumHeight =
            length(keys[family.isFixed ? "height" : "maximumHeight"], isInPixels: isInPixels)
            ?? max(proposal.maximumHeight, keys["maximumHeight"] == nil ? compactHeight ?? 0 : 0)
        if let compactHeight, maximumHeight < compactHeight,
            let place = keys["maximumHeight"] ?? keys["compactHeight"]
        {
            nodes.fail(place.value.mark, "maximumHeight (\(maximumHeight)) is below compactHeight (\(compactHeight))")
        }
        let width = length(keys["width"], isInPixels: isInPixels) ?? proposal.width
        if isInPixels, let scale, scale != 1, let place = keys["scale"] {
            nodes.fail(
                place.value.mark,
                "a panel with a palette, a model or a density is laid out in pixels; remove scale"
            )
        }
        let modes: [Display.Mode?] = family.hasModes ? Display.Mode.allCases : [nil]
        return modes.compactMap { mode in
            let variant = mode.map { "\(name)-\($0.rawValue)" } ?? name.rawValue
            return nodes.identifier(variant, at: entry.keyMark, DisplayName.self).map { name in
                Display(
                    name: name,
                    family: family,
                    mode: mode,
                    width: width,
                    compactHeight: mode == nil ? nil : compactHeight,
                    maximumHeight: maximumHeight,
                    contentSizeCategory: category,
                    scale: isInPixels ? 1 : scale ?? device?.scale ?? TidingsConfiguration.defaultScale,
                    insets: insets ?? (family == .panel ? .panel(width: width) : proposal.insets),
                    locale: locale ?? TidingsConfiguration.defaultLocale,
                    timeZone: timeZone ?? TidingsConfiguration.defaultTimeZone,
                    appearance: appearance ?? family.defaultAppearance,
                    hourCycle: hourCycle,
                    panel: panel?.panel
                )
            }
        }
    }

    static let families = NodeDecoder.list(Display.Family.allCases.map(\.rawValue))

    mutating func decodeDevice(_ node: YAMLNode) -> DeviceProfile? {
        guard let text = nodes.text(node, "device") else { return nil }
        if let device = DeviceProfile.named(text) { return device }
        let hint = EditDistance.hint(for: text, among: DeviceProfile.all.map(\.name))
        nodes.fail(node.mark, "there is no device '\(text)'\(hint)")
        return nil
    }

    /// Returns the posture of a device: the values of the keys `orientation` and `column`.
    ///
    /// An iPad in landscape shows Today widgets in two columns; `column` selects one of them. Reports an error if
    /// `keys` contains `column` and the device is not an iPad in landscape. Also reports an error if `keys` contains
    /// `orientation`, and `device` is nil or `keys` contains `model`.
    mutating func posture(of device: DeviceProfile?, _ keys: [String: YAMLNode.Entry]) -> DevicePosture {
        var posture = DevicePosture()
        if let entry = keys["orientation"] {
            posture.orientation = nodes.choice(entry.value, entry.key, DevicePosture.Orientation.self) ?? .portrait
            if keys["model"] != nil {
                nodes.fail(entry.keyMark, "a model has no orientation; use rotation instead")
            } else if device == nil {
                nodes.fail(entry.keyMark, "an orientation needs a device, such as iphone-375")
            }
        }
        if let entry = keys["column"] {
            posture.column = nodes.choice(entry.value, entry.key, DevicePosture.Column.self)
            if device?.isTablet != true || posture.orientation != .landscape {
                nodes.fail(
                    entry.keyMark,
                    "only an iPad in landscape has columns; set device to an iPad and orientation to landscape"
                )
            }
        }
        return posture
    }

    /// The properties of a display that determine its default size and margins.
    struct DisplayForm {
        let device: DeviceProfile?
        let family: Display.Family
        let category: ContentSizeCategory
        let posture: DevicePosture
    }

    /// Reports an error for each height that displays of a family do not have.
    private mutating func checkKeys(_ keys: [String: YAMLNode.Entry], of family: Display.Family) {
        if !family.hasModes, let height = keys["compactHeight"] {
            nodes.fail(height.keyMark, "family \(family.rawValue) has no compact mode; remove compactHeight")
        }
        if family.isFixed, keys["model"] == nil, let height = keys["maximumHeight"] {
            nodes.fail(
                height.keyMark,
                "family \(family.rawValue) has a fixed height; give height instead of maximumHeight"
            )
        }
        if !family.isFixed, let height = keys["height"] {
            nodes.fail(
                height.keyMark,
                "family \(family.rawValue) has no fixed height; give maximumHeight instead of height"
            )
        }
    }

    /// Returns the proposal for a display: the size and the margins that apply if its entry does not set them.
    ///
    /// Reports an error if neither the device nor `keys` determines the size, for example because the device does not
    /// support the family.
    mutating func proposal(
        for form: DisplayForm,
        _ entry: YAMLNode.Entry,
        _ keys: [String: YAMLNode.Entry]
    ) -> DeviceProfile.Proposal {
        let (device, family, category) = (form.device, form.family, form.category)
        if device == nil, let proposal = TidingsConfiguration.defaultProposal(family, at: category) { return proposal }
        // An invalid model is an error already.
        let isSized = keys["model"] != nil || keys["width"] != nil && keys["height"] != nil
        let proposal = (device ?? DeviceProfile.named(TidingsConfiguration.defaultDevice))?
            .proposal(for: family, at: category, in: form.posture)
        if device == nil || proposal == nil, family == .panel || proposal == nil, !isSized {
            let owners = DeviceProfile.all.filter { $0.proposal(for: family, at: category) != nil }.map(\.name)
            let place = keys["device"]?.value.mark ?? entry.keyMark
            nodes.fail(
                place,
                family == .panel
                    ? "a panel has no default size; give a model, width and height, or a device"
                    : "\(device?.name ?? "the default device") has no \(family.rawValue); give width and height, "
                        + "or one of the devices " + owners.joined(separator: ", ")
            )
        }
        let margin = DeviceProfile.widgetMargin
        return proposal
            ?? DeviceProfile.Proposal(
                width: TidingsConfiguration.defaultWidth,
                maximumHeight: TidingsConfiguration.defaultWidth,
                insets: EdgeInsets(top: margin, leading: margin, bottom: margin, trailing: margin)
            )
    }

    /// Returns the length of an entry: a number of points, or a whole number of pixels.
    mutating func length(_ entry: YAMLNode.Entry?, isInPixels: Bool = false) -> Double? {
        guard let entry else { return nil }
        if isInPixels { return nodes.integer(entry.value, entry.key, in: PanelSize.lengths).map(Double.init) }
        return nodes.number(entry.value, entry.key, in: ConfigurationLimits.length)
    }

    /// Returns the locale of an entry; warns if widgets have no translation for its language.
    mutating func decodeLocale(_ entry: YAMLNode.Entry?) -> String? {
        guard let entry, let locale = checked(entry, Region.problem(locale:)) else { return nil }
        if WidgetLanguage(locale: locale) == nil {
            warn(
                entry.value.mark,
                "widgets have no translation for the language of '\(locale)'; their words are in English"
            )
        }
        return locale
    }

    /// Returns the text of an entry; nil if there is no entry, or if its text is invalid.
    ///
    /// `problem` checks the text: it returns an error message if the text is invalid, and nil otherwise. The message is
    /// reported.
    mutating func checked(_ entry: YAMLNode.Entry?, _ problem: (String) -> String?) -> String? {
        guard let entry, let text = nodes.text(entry.value, entry.key) else { return nil }
        guard let problem = problem(text) else { return text }
        nodes.fail(entry.value.mark, problem)
        return nil
    }

    /// Returns the names in `displays`, grouped by the name of the configured display that they come from.
    ///
    /// A display in the configuration becomes two displays if its family has modes: `phone` becomes `phone-compact` and
    /// `phone-expanded`. Other displays keep their names.
    static func names(of displays: [Display]) -> [String: [DisplayName]] {
        var names: [String: [DisplayName]] = [:]
        for display in displays {
            let suffix = display.mode.map { "-\($0.rawValue)" } ?? ""
            names[String(display.name.rawValue.dropLast(suffix.count)), default: []].append(display.name)
        }
        return names
    }
}
