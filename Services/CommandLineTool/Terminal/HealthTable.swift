// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// Instances as rows: service, instance, state, uptime, version and message.
struct HealthTable: Sendable {
    private static let serviceWidth = 8
    private static let stateWidth = 8
    private static let upWidth = 4
    private static let versionWidth = 7
    private static let minimumInstanceWidth = 8
    private static let maximumInstanceWidth = 40

    private let columns: TextColumns

    init(_ terminal: Terminal, instances: [HealthAnswer]) {
        let longest = instances.map(\.instance.rawValue.count).max() ?? 0
        let instanceWidth = min(max(longest, Self.minimumInstanceWidth), Self.maximumInstanceWidth)
        let used =
            Self.serviceWidth + instanceWidth + Self.stateWidth + Self.upWidth + Self.versionWidth + 5 * TextColumns.gap
        columns = TextColumns(
            [
                (Self.serviceWidth, .left), (instanceWidth, .left), (Self.stateWidth, .left), (Self.upWidth, .right),
                (Self.versionWidth, .left), (max(8, terminal.columns - used), .left),
            ],
            style: terminal.style
        )
    }

    var header: String {
        columns.line(
            ["SERVICE", "INSTANCE", "STATE", "UP", "VERSION", ""].map { TextColumns.Cell($0, .strong) }
        )
    }

    func row(_ answer: HealthAnswer, at now: Instant) -> String {
        columns.line([
            TextColumns.Cell(answer.service.rawValue),
            TextColumns.Cell(answer.instance.rawValue),
            TextColumns.Cell(answer.health.state.rawValue, answer.health.state.emphasis),
            TextColumns.Cell(Self.age(now.milliseconds(since: answer.health.startedAt))),
            TextColumns.Cell(answer.health.version),
            TextColumns.Cell(
                [Self.role(answer.health, at: now), answer.health.message].compactMap(\.self).joined(separator: "; ")
            ),
        ])
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
