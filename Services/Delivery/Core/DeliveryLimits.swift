// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The intervals and limits of the service.
struct DeliveryLimits: Sendable, Equatable {
    /// The shortest pause after a failed attempt.
    var firstPause: Duration = .seconds(5)
    /// The longest pause after a failed attempt.
    var longestPause: Duration = .seconds(3_600)
    /// The longest pause that a destination can ask for.
    var longestWait: Duration = .seconds(86_400)
    /// The number of consecutive failures of a server after which no attempts are made for a while.
    var failuresUntilOpen = 5
    /// The first pause of a server that failed so often; the next ones are longer, up to ``longestPause``.
    var breakerPause: Duration = .seconds(30)
    /// The maximum number of attempts in flight to one server.
    var attemptsPerServer = 64
    /// The maximum number of attempts in flight; a server gets at most as many as others have left.
    var attempts = 256
    /// The maximum number of updates of a widget that wait in memory for a destination that gets every update.
    ///
    /// Further ones are requested from the notifier when these are delivered.
    var queued = 32
    /// The time after the start for which no new message is sent while the missed updates are still unknown.
    var catchUpTimeout: Duration = .seconds(30)
    /// The number of finished messages of a widget that are remembered for explanations.
    var history = 16
    /// The time after which a destination that accepts nothing is reported as a problem.
    var problemAfter: Duration = .seconds(3_600)
    /// The maximum number of destinations whose problems are named.
    var reportedProblems = 10
    /// The maximum time for which the position of the stream is not written.
    ///
    /// Counts are written with the position, and so are messages that wait for an attempt. After a crash, the notifier sends
    /// the updates of this time again, and some counts of this time are lost.
    var positionInterval: Duration = .seconds(5)
    /// The minimum time between two reports of the state.
    var reportInterval: Duration = .seconds(1)
    /// The pause after a failed request for the updates of a widget.
    var replayPause: Duration = .seconds(1)
    /// The maximum number of widgets and boards of all destinations of the configuration.
    ///
    /// The updates of further ones are counted and not sent.
    var lanes = 1_000_000
    /// The same for all registered devices.
    var lanesOfDevices = 500_000
}
