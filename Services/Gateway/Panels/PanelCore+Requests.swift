// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import ServiceEngine
import WidgetSchema

/// Requests of people: lists, the pairing window, and sleep.
extension PanelCore {
    mutating func answer(_ request: PanelsRequest, at now: Instant) -> Decisions {
        do throws(RequestError) {
            switch request.action {
            case .list: return Step(effects: [.report(report(at: now))])
            case .pair: return try pair(request, at: now)
            case .forget:
                let key = try record(request.panel).key
                state.records[key] = nil
                return Step(writes: [.remove(key: key)], effects: [.report(report(at: now))])
            case .sleep:
                var record = try record(request.panel)
                if let until = request.until {
                    let latest = now.advanced(by: .seconds(Int64(PanelsRequest.maximumSleepDays) * 86_400))
                    guard now < until, until <= latest else {
                        throw RequestError(
                            .refused,
                            "The end of a sleep must be later than now, and at most \(PanelsRequest.maximumSleepDays) days "
                                + "away; it is \(until)."
                        )
                    }
                }
                record.sleepUntil = request.until
                var step = keep(record, effect: .done)
                step.effects = [.report(report(at: now))]
                return step
            }
        } catch {
            return Step(effects: [.refused(error)])
        }
    }

    private mutating func pair(_ request: PanelsRequest, at now: Instant) throws(RequestError) -> Decisions {
        let minutes = request.minutes ?? PanelsRequest.defaultPairingMinutes
        guard PanelsRequest.pairingMinutes.contains(minutes) else {
            throw RequestError(
                .refused,
                "A pairing window has \(PanelsRequest.pairingMinutes.lowerBound) to "
                    + "\(PanelsRequest.pairingMinutes.upperBound) minutes, not \(minutes)."
            )
        }
        var panel: PanelID?
        if let text = request.panel {
            panel = PanelName(rawValue: text).flatMap { panelsByName[$0]?.id } ?? PanelID(rawValue: text)
            if let name = PanelName(rawValue: text), let known = panelsByName[name], known.id == nil {
                throw RequestError(.refused, "Panel '\(name)' has no id in the configuration, so it needs no key.")
            }
            guard panel != nil else {
                throw RequestError(.refused, "'\(text.prefix(80))' is no panel: \(PanelID.rule).")
            }
        } else if panelsByID.isEmpty {
            throw RequestError(
                .refused,
                "The configuration has no panel with an id. Add it under 'panels', or name the panel's id."
            )
        }
        state.pairing = PanelReport.Pairing(until: now.advanced(by: .seconds(Int64(minutes) * 60)), panel: panel)
        return Step(writes: [.pairing(state.pairing)], effects: [.report(report(at: now))])
    }

    /// Returns the record of a panel that is named by its id or its name in the configuration.
    private func record(_ text: String?) throws(RequestError) -> PanelRecord {
        guard let text else { throw RequestError(.malformed, "The request names no panel.") }
        if let record = PanelID(rawValue: text).flatMap({ state.records[$0.rawValue] }) { return record }
        if let panel = PanelName(rawValue: text).flatMap({ panelsByName[$0] }),
            let record = state.records[PanelRecord.key(of: panel)]
        {
            return record
        }
        throw RequestError(
            .notFound,
            "Nothing is known of a panel '\(text.prefix(80))'; 'tidings panel list' shows all panels."
        )
    }

    // MARK: The report

    func report(at now: Instant) -> PanelReport {
        var entries = panels.map { panel in
            entry(state.records[PanelRecord.key(of: panel)], panel, at: now)
        }
        let configured = Set(panels.map { PanelRecord.key(of: $0) })
        let others = state.records.filter { !configured.contains($0.key) }.sorted { $0.key < $1.key }
        entries += others.map { entry($0.value, nil, at: now) }
        return PanelReport(
            panels: entries,
            refused: refused.values.sorted { ($0.lastSeen, $0.id) > ($1.lastSeen, $1.id) },
            pairing: pairing(at: now)
        )
    }

    private func entry(_ record: PanelRecord?, _ panel: SleepingPanel?, at now: Instant) -> PanelReport.Entry {
        let hasKey = record?.keyHash != nil
        let state: PanelReport.State =
            panel == nil ? .unconfigured : panel?.id == nil ? .named : hasKey ? .paired : .unpaired
        var entry = PanelReport.Entry(state: state)
        (entry.name, entry.id, entry.board) = (panel?.name ?? record?.name, panel?.id ?? record?.id, panel?.board)
        guard let record else { return entry }
        entry.batteryMillivolts = record.batteryMillivolts
        entry.signal = record.signal
        entry.firmware = record.firmware
        entry.model = record.model
        (entry.lastWake, entry.nextWake) = (record.lastWake, record.nextWake)
        entry.sleepUntil = record.sleepUntil.flatMap { now < $0 ? $0 : nil }
        entry.picture = record.shown?.name.rawValue
        entry.wakes = record.wakes
        (entry.redraws, entry.redrawsSaved) = (record.redraws, record.redrawsSaved)
        entry.lastDelaySeconds = record.lastDelaySeconds
        if panel != nil, record.isMissing(at: now) {
            entry.warnings.append("It has missed at least \(PanelRecord.missedWakes) wakes.")
        }
        if record.hasLowBattery, let millivolts = record.batteryMillivolts {
            let volts = "\(millivolts / 1_000).\(String(millivolts % 1_000 + 1_000).dropFirst().prefix(2))"
            entry.warnings.append("Its battery has \(volts) V; charge it.")
        }
        return entry
    }
}
