// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CommandOptions
import Text
import WidgetSchema

/// Decoding of the properties that displays of family `panel` and boards share.
extension ConfigurationDecoder {
    /// The keys that only panels and boards have.
    static let panelKeys = ["model", "palette", "rotation", "inverted", "fileBits", "interactive", "density"]

    /// The panel that a display or a board describes.
    struct DecodedPanel {
        var panel: Panel
        var model: PanelModel?
        /// A Boolean value that indicates whether an entry sets a key that needs a layout in pixels.
        var isInPixels: Bool

        /// The size that the model proposes, without margins; nil without a model.
        var size: DeviceProfile.Proposal? {
            model.map { model in
                let (width, height) = model.size(turnedBy: panel.rotation)
                return DeviceProfile.Proposal(
                    width: Double(width),
                    maximumHeight: Double(height),
                    insets: EdgeInsets()
                )
            }
        }
    }

    /// Returns the panel of an entry; keys that are missing or invalid have the values of the model, or their defaults.
    mutating func decodePanel(_ keys: [String: YAMLNode.Entry]) -> DecodedPanel {
        let model = keys["model"].flatMap { decodeModel($0.value) }
        var palette = keys["palette"].flatMap {
            nodes.choice($0.value, $0.key, PanelPalette.self, foreign: .palettes)
        }
        if let model, let entry = keys["palette"], let chosen = palette, !model.palettes.contains(chosen) {
            let known = NodeDecoder.list(model.palettes.map(\.rawValue))
            nodes.fail(entry.value.mark, "model \(model.name) shows \(known), not \(chosen.rawValue)")
            palette = nil
        }
        let shown = palette ?? model?.palettes.first ?? .color
        let rotation = keys["rotation"].flatMap { decodeRotation($0.value) } ?? model?.rotation ?? Panel.Rotation.none
        let interactive = keys["interactive"].flatMap { nodes.flag($0.value, $0.key) }
        var isInverted = false
        flag(keys["inverted"], &isInverted)
        var fileBits = model.flatMap { shown.isGray ? $0.fileBits : nil }
        if let entry = keys["fileBits"] {
            if shown.isGray {
                fileBits = nodes.plain(entry.value, "fileBits must be \(Panel.deepBits)") {
                    Int($0) == Panel.deepBits ? Panel.deepBits : nil
                }
            } else {
                nodes.fail(
                    entry.keyMark,
                    "fileBits is for greys; set palette to mono, gray4 or gray16, or remove it"
                )
            }
        }
        var typeFactor = model?.typeFactor ?? 1
        if let entry = keys["density"], let density = nodes.number(entry.value, entry.key, in: Panel.densities) {
            typeFactor = Panel.typeFactor(density: density)
        }
        for key in ["device", "width", "height", "maximumHeight"] {
            guard let model, let entry = keys[key] else { continue }
            nodes.fail(
                entry.keyMark,
                "model \(model.name) has a size of its own (\(model.width) x \(model.height)); remove \(entry.key)"
            )
        }
        return DecodedPanel(
            panel: Panel(
                palette: shown,
                rotation: rotation,
                isInverted: isInverted,
                fileBits: fileBits,
                isInteractive: interactive,
                typeFactor: typeFactor
            ),
            model: model,
            isInPixels: model != nil || shown != .color || keys["density"] != nil
        )
    }

    /// Reports an error for each key that only panels have.
    mutating func refusePanelKeys(_ keys: [String: YAMLNode.Entry], of family: Display.Family) {
        for key in Self.panelKeys {
            guard let entry = keys[key] else { continue }
            nodes.fail(entry.keyMark, "family \(family.rawValue) has no \(key); only panels and boards have it")
        }
    }

    mutating func decodeModel(_ node: YAMLNode) -> PanelModel? {
        guard let text = nodes.text(node, "model") else { return nil }
        guard let model = PanelModel.named(text) else {
            let known = PanelModel.all.filter { $0.refusal == nil }.map(\.name)
            let word = text.lowercased().replacing("_", with: "-")
            let similar = known.filter { $0.contains(word) }
            let hint = EditDistance.hint(for: text, among: similar.isEmpty ? known : similar)
            nodes.fail(node.mark, "there is no model \(node.kind)\(hint)")
            return nil
        }
        if let refusal = model.refusal {
            nodes.fail(node.mark, "model \(model.name) cannot be used: \(refusal)")
            return nil
        }
        return model
    }

    private mutating func decodeRotation(_ node: YAMLNode) -> Panel.Rotation? {
        let known = NodeDecoder.list(Panel.Rotation.allCases.map { String($0.rawValue) })
        return nodes.plain(node, "rotation must be \(known) degrees clockwise") { text in
            Int(text).flatMap { Panel.Rotation(rawValue: $0) }
        }
    }
}
