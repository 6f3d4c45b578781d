// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import ServiceEngine
import WidgetSchema

/// A decision of the cache's core: a write to the store, or an effect.
///
/// The writes of a batch of inputs are committed in one transaction. The effects are performed after the commit.
typealias CacheAction = Decision<CacheWrite, Never, CacheEffect>

extension Decision where Write == CacheWrite, Work == Never, Effect == CacheEffect {
    static func storeContent(_ digest: ContentDigest, _ bytes: Data) -> Self { .write(.storeContent(digest, bytes)) }
    static func saveWidget(_ id: WidgetID, _ record: WidgetRecord) -> Self { .write(.saveWidget(id, record)) }
    static func saveSource(_ id: SourceID, _ record: SourceRecord) -> Self { .write(.saveSource(id, record)) }
    static func forgetSource(_ id: SourceID) -> Self { .write(.forgetSource(id)) }
    static func saveLease(_ id: SourceID, _ lease: LeaseRecord) -> Self { .write(.saveLease(id, lease)) }
    static func endLease(_ id: SourceID) -> Self { .write(.endLease(id)) }
    static func saveHost(_ host: String, _ record: HostRecord) -> Self { .write(.saveHost(host, record)) }
    static func forgetHost(_ host: String) -> Self { .write(.forgetHost(host)) }
    static var forgetRestore: Self { .write(.forgetRestore) }
    static func saveCommand(_ key: CommandKey, _ record: CommandRecord) -> Self { .write(.saveCommand(key, record)) }
    static func forgetCommands(before horizon: Instant) -> Self { .write(.forgetCommands(before: horizon)) }
    static func trimContents(_ source: SourceID, _ widgets: [WidgetID], added: Int) -> Self {
        .write(.trimContents(source, widgets, added: added))
    }
    static func trimHistory(_ widgets: ArraySlice<WidgetID>, before horizon: Instant) -> Self {
        .write(.trimHistory(widgets, before: horizon))
    }

    /// Returns the effect that publishes the last cycle of a widget once more.
    static func republish(_ widget: WidgetID, _ record: WidgetRecord) -> Self {
        .effect(.republish(widget, record.head, content: record.newContent))
    }
    static func answerLease(_ requester: RequesterID, _ answer: LeaseAnswer) -> Self {
        .effect(.answerLease(requester, answer))
    }
    static func answerCycle(_ requester: RequesterID, _ answer: CycleAnswer) -> Self {
        .effect(.answerCycle(requester, answer))
    }
    static func answerError(_ requester: RequesterID, _ error: RequestError) -> Self {
        .effect(.answerError(requester, error))
    }
    static func forgetRequester(_ requester: RequesterID) -> Self { .effect(.forgetRequester(requester)) }
    static func answerReplay(_ requester: RequesterID, from: [WidgetID: SequenceNumber]) -> Self {
        .effect(.answerReplay(requester, from: from))
    }
    static func answerSnapshot(_ requester: RequesterID, _ widgets: ArraySlice<WidgetID>) -> Self {
        .effect(.answerSnapshot(requester, widgets))
    }
    static func count(_ counter: CacheCounter) -> Self { .effect(.count(counter)) }
    static func reportLocation(configured: String, location: String?) -> Self {
        .effect(.reportLocation(configured: configured, location: location))
    }
    static func reportGone(url: String) -> Self { .effect(.reportGone(url: url)) }
    static func reportRestore(widgets: Int) -> Self { .effect(.reportRestore(widgets: widgets)) }
    static func reportSilence(_ sources: [SilentSource]) -> Self { .effect(.reportSilence(sources)) }
    static func reportQuarantine(_ sources: [QuarantinedSource]) -> Self { .effect(.reportQuarantine(sources)) }
}
