// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CommandOptions
import WidgetSchema

/// Instances as rows: service, instance, state, uptime, version and message.
///
/// In terminals below `wideColumns`, the version is not shown. A message that does not fit is on lines of its own below
/// the row.
struct HealthTable: Sendable {
    private static let serviceWidth = 8
    private static let stateWidth = 8
    private static let upWidth = 4
    private static let versionWidth = 7
    private static let minimumInstanceWidth = 8
    private static let maximumInstanceWidth = 40
    private static let minimumMessageWidth = 8
    private static let wideColumns = 70

    private let columns: TextColumns
    private let isWide: Bool
    private let total: Int
    /// The width of the column with the message; 0 if no instance has a message.
    private var messageWidth = 0

    init(_ terminal: Terminal, instances: [HealthAnswer]) {
        isWide = terminal.columns >= Self.wideColumns
        total = max(terminal.columns, UpdateTable.minimumColumns)
        let longest = instances.map { CharacterWidth.columns(of: $0.instance.rawValue) }.max() ?? 0
        var fixed = Self.serviceWidth + Self.stateWidth + Self.upWidth + 3 * TextColumns.gap
        if isWide { fixed += Self.versionWidth + Self.minimumMessageWidth + 2 * TextColumns.gap }
        let instanceWidth = min(
            max(longest, Self.minimumInstanceWidth),
            Self.maximumInstanceWidth,
            max(total - fixed, Self.minimumInstanceWidth)
        )
        var widths: [(Int, TextColumns.Alignment)] = [
            (Self.serviceWidth, .left), (instanceWidth, .left), (Self.stateWidth, .left), (Self.upWidth, .right),
        ]
        if isWide {
            messageWidth = total - fixed - instanceWidth + Self.minimumMessageWidth
            widths += [(Self.versionWidth, .left), (messageWidth, .left)]
        }
        columns = TextColumns(widths, style: terminal.style)
    }

    var header: String {
        columns.line(
            (["SERVICE", "INSTANCE", "STATE", "UP"] + (isWide ? ["VERSION", ""] : [])).map {
                TextColumns.Cell($0, .strong)
            }
        )
    }

    func row(_ answer: HealthAnswer, at now: Instant) -> String {
        let message = [Self.role(answer.health, at: now), answer.health.message].compactMap(\.self)
            .joined(separator: "; ")
        var cells = [
            TextColumns.Cell(answer.service.rawValue),
            TextColumns.Cell(answer.instance.rawValue),
            TextColumns.Cell(answer.health.state.rawValue, answer.health.state.emphasis),
            TextColumns.Cell(Self.age(now.milliseconds(since: answer.health.startedAt))),
        ]
        let fits = CharacterWidth.columns(of: message) <= messageWidth
        if isWide { cells += [TextColumns.Cell(answer.health.version), TextColumns.Cell(fits ? message : "")] }
        guard !fits else { return columns.line(cells) }
        let indent = String(repeating: " ", count: TextColumns.gap)
        let below = OptionTable.wrap(message, indent: indent.count, columns: total).split(separator: "\n")
        let lines = below.map { indent + $0.trimmingPrefix(indent) }
        return ([columns.line(cells)] + lines.map { CharacterWidth.shorten($0, to: total) }).joined(separator: "\n")
    }

    /// Returns the role of an instance as text; nil if the instance has no role.
    ///
    /// For an active instance, the text includes the time since the instance became active.
    static func role(_ health: Health, at now: Instant) -> String? {
        guard let role = health.role else { return nil }
        guard role == .active, let since = health.activeSince else { return role.rawValue }
        return "\(role.rawValue) for \(age(now.milliseconds(since: since)))"
    }

    /// Returns the row of a service without a live instance.
    func missing(_ service: ServiceName) -> String {
        columns.line([
            TextColumns.Cell(service.rawValue), TextColumns.Cell("-"), TextColumns.Cell("missing", .bad),
        ])
    }

    /// Returns a duration in the largest unit that fits: `12s`, `3m`, `5h`, `9d`.
    static func age(_ milliseconds: Int64) -> String {
        let seconds = max(0, milliseconds / 1_000)
        if seconds < 60 { return "\(seconds)s" }
        if seconds < 3_600 { return "\(seconds / 60)m" }
        if seconds < 86_400 { return "\(seconds / 3_600)h" }
        return "\(seconds / 86_400)d"
    }
}

extension Health.State {
    var emphasis: TextStyle.Emphasis {
        switch self {
        case .ready: .good
        case .starting, .stopping, .degraded: .warning
        case .gone: .bad
        }
    }
}
