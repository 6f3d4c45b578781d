// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import Foundation
import WidgetSchema

/// Runs batches: feeds the core, commits what it says in one transaction, and only then gives out the rest, in order.
///
/// When a commit fails, or nobody knows how it ended, the core and all else of the batch are discarded, and the next
/// batch begins with what the store holds. It belongs to one thread, which the store blocks.
struct NotifierEngine<Store: UpdateStore> {
    /// What is to be done after the commit.
    enum Output: Hashable, Sendable {
        case publish(Topic, Data)
        case ask(ReplayAsk)
        /// The answer to a request, complete.
        case reply(UInt64, Data)
        case note(NotifierAction.Note)
    }

    let store: Store
    private let nonce: String
    private var core: NotifierCore?

    init(store: Store, nonce: String) {
        self.store = store
        self.nonce = nonce
    }

    /// How many widgets have an update.
    var widgetCount: Int { core?.widgetCount ?? 0 }

    /// How many widgets lack something.
    var openCount: Int { core?.openCount ?? 0 }

    /// Which layout instance to ask; nil where any will do.
    func layoutToAsk(at now: Instant) -> InstanceName? { core?.layoutToAsk(at: now) }

    /// When a batch is due although nothing came; nil where the first is.
    var nextDeadline: Instant? { core?.nextDeadline }

    /// Runs one batch, to its end or not at all.
    ///
    /// The first batch, and the one after a failure, begins with the start: each widget's last update is published again.
    mutating func process(_ inputs: [NotifierInput], now: Instant) throws -> [Output] {
        var core: NotifierCore
        var actions: [NotifierAction] = []
        var outputs: [Output] = []
        if let running = self.core {
            core = running
            // One owner, so that the core's tables are not copied.
            self.core = nil
        } else {
            let widgets = try store.load()
            outputs = try lastUpdates(of: widgets.keys.sorted())
            core = NotifierCore(widgets, nonce: nonce)
            actions = core.handle(.started, now: now)
        }
        for input in inputs { actions += core.handle(input, now: now) }
        actions += core.handle(.timer, now: now)
        try store.commit(
            actions.compactMap { action in
                guard case .commit(let commit) = action else { return nil }
                return commit
            }
        )
        outputs += try self.outputs(of: actions)
        self.core = core
        return outputs
    }

    /// What may have been committed and not published when the process before ended.
    private func lastUpdates(of widgets: [WidgetID]) throws -> [Output] {
        try widgets.compactMap { widget in
            try store.lastUpdate(of: widget).map { .publish($0.topic, $0.event) }
        }
    }

    private func outputs(of actions: [NotifierAction]) throws -> [Output] {
        var outputs: [Output] = []
        for action in actions {
            switch action {
            case .commit: break
            case .publish(let topic, let event): outputs.append(.publish(topic, event))
            case .ask(let ask): outputs.append(.ask(ask))
            case .answerReplay(let request, let from):
                outputs.append(.reply(request, try UpdatePage.replay(from: from, of: store).json))
            case .answerSnapshot(let request, let widgets):
                outputs.append(.reply(request, try UpdatePage.snapshot(of: widgets, in: store).json))
            case .note(let note): outputs.append(.note(note))
            }
        }
        return outputs
    }
}
