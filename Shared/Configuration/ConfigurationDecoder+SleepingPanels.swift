// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CommandOptions
import Text
import WidgetSchema

/// Decoding of the panels that sleep between their requests.
extension ConfigurationDecoder {
    private static let sleepingPanelKeys = [
        "id", "board", "model", "interval", "minimumSleep", "maximumSleep", "quietHours", "timeZone",
    ]

    /// Returns the panels of a mapping; `boards` are those that they may show.
    mutating func decodeSleepingPanels(_ node: YAMLNode, boards: inout [BoardEntry]) -> [SleepingPanel] {
        let entries = nodes.entries(node, "panels")
        guard entries.count <= SleepingPanel.maximumPanels else {
            nodes.fail(
                node.mark,
                "there are \(entries.count) panels; at most \(SleepingPanel.maximumPanels) are allowed"
            )
            return []
        }
        var owners: [PanelID: PanelName] = [:]
        var panels: [SleepingPanel] = []
        for entry in entries {
            guard let (panel, idMark) = decodeSleepingPanel(entry, boards: &boards) else { continue }
            if let id = panel.id, let idMark {
                if let owner = owners[id] {
                    nodes.fail(idMark, "panel '\(owner)' has the id \(id) already; give each panel its own id")
                }
                owners[id] = panel.name
            }
            panels.append(panel)
        }
        return panels
    }

    private mutating func decodeSleepingPanel(
        _ entry: YAMLNode.Entry,
        boards: inout [BoardEntry]
    ) -> (panel: SleepingPanel, idMark: YAMLMark?)? {
        let what = "panel '\(entry.key.prefix(YAMLNode.maximumShown))'"
        let name = nodes.identifier(entry.key, at: entry.keyMark, PanelName.self)
        let keys = nodes.mapping(entry.value, what, known: Self.sleepingPanelKeys, foreign: .sleepingPanel)
        let id = keys["id"].flatMap { key in
            nodes.text(key.value, "id").flatMap { nodes.identifier($0, at: key.value.mark, PanelID.self) }
        }
        let timeZone = checked(keys["timeZone"], Region.problem(timeZone:))
        let quietHours = keys["quietHours"].flatMap { decodeQuietHours($0.value) }
        var (interval, minimum, maximum) = (
            SleepingPanel.defaultInterval, SleepingPanel.defaultMinimumSleep, SleepingPanel.defaultMaximumSleep
        )
        duration(keys["interval"], in: ConfigurationLimits.panelSleep, &interval)
        duration(keys["minimumSleep"], in: ConfigurationLimits.panelSleep, &minimum)
        duration(keys["maximumSleep"], in: ConfigurationLimits.panelSleep, &maximum)
        if keys["minimumSleep"] == nil { minimum = min(minimum, interval) }
        if keys["maximumSleep"] == nil { maximum = max(maximum, interval) }
        if minimum > interval || interval > maximum, let key = keys["interval"] ?? keys["minimumSleep"] {
            nodes.fail(
                key.value.mark,
                "interval (\(DurationText.text(interval))) must be from minimumSleep (\(DurationText.text(minimum))) to "
                    + "maximumSleep (\(DurationText.text(maximum)))"
            )
        }
        guard let board = decodeBoard(of: what, keys, at: entry.keyMark, among: &boards), let name else { return nil }
        let panel = SleepingPanel(
            name: name,
            id: id,
            board: board.id,
            interval: interval,
            minimumSleep: minimum,
            maximumSleep: maximum,
            quietHours: quietHours,
            timeZone: timeZone ?? board.timeZone
        )
        return (panel, keys["id"]?.value.mark)
    }

    private mutating func decodeQuietHours(_ node: YAMLNode) -> QuietHours? {
        guard let text = nodes.text(node, "quietHours") else { return nil }
        guard let hours = QuietHours(text) else {
            nodes.fail(node.mark, "quietHours must be two different times such as 23:00-06:30, not \(node.kind)")
            return nil
        }
        return hours
    }

    /// Returns the board that a panel shows; reports a board that does not exist or is not drawn for the panel's model.
    private mutating func decodeBoard(
        of what: String,
        _ keys: [String: YAMLNode.Entry],
        at mark: YAMLMark,
        among boards: inout [BoardEntry]
    ) -> BoardEntry? {
        let model = keys["model"].flatMap { decodeModel($0.value) }
        guard let entry = keys["board"] else {
            nodes.fail(mark, "\(what) has no board; write board: NAME")
            return nil
        }
        guard let text = nodes.text(entry.value, "board") else { return nil }
        guard let index = boards.firstIndex(where: { $0.id.rawValue == text }) else {
            let hint = EditDistance.hint(for: text, among: boards.map(\.id.rawValue))
            nodes.fail(entry.value.mark, "there is no board \(entry.value.kind)\(hint)")
            return nil
        }
        let board = boards[index]
        if let model, board.model == nil {
            boards[index].panelByteLimit = min(board.panelByteLimit ?? model.byteLimit, model.byteLimit)
        }
        if let model, let node = keys["model"]?.value {
            let (width, height) = model.size(turnedBy: board.panel.rotation)
            if board.grid.width != width || board.grid.height != height {
                nodes.fail(
                    node.mark,
                    "model \(model.name) has \(width) x \(height) pixels, but board '\(board.id)' has "
                        + "\(board.grid.width) x \(board.grid.height); set the board's model to \(model.name)"
                )
            }
        }
        return board
    }
}
