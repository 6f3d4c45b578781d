// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Cryptography
import ServiceEngine
import WidgetSchema

/// Pictures and their names, and sleeps.
extension PanelCore {
    /// The sleep of a panel that was refused, in seconds.
    static let refusedSleepSeconds: Int64 = 15 * 60
    /// Such a sleep while the pairing window is open, in seconds.
    static let pairingSleepSeconds: Int64 = 60
    /// The age in seconds up to which the firmware keeps a file after the download of another one.
    static let keptSeconds: Int64 = 86_400
    /// The time in seconds by which a name is renewed before its file would be removed.
    static let renewalLead: Int64 = 3_600
    /// The time in seconds by which a name may be ahead of our clock; later names are of a clock that was ahead.
    static let latestName: Int64 = 60
    /// The time in seconds by which a new name is older than now, because the panel's clock may be behind ours.
    static let clockMargin: Int64 = 30

    mutating func display(
        _ headers: PanelHeaders,
        _ picture: PanelPicture?,
        _ changes: BoardChanges,
        at now: Instant
    ) -> Decisions {
        let identity = identity(of: headers, at: now)
        switch identity {
        case .notice(let kind) where kind != .noBoard: return refuse(headers, kind, picture, at: now)
        case .notice, .board, .keeps: break
        }
        var record = state.records[headers.id.rawValue] ?? PanelRecord(id: headers.id)
        // The window of one panel ends with the first use of a key that was given or adopted in it: the id is public.
        let endsWindow = state.pairing?.panel == headers.id && !(record.hasUsedKey && isKnown(headers))
        record.keyHash = headers.keyHash
        record.hasUsedKey = true
        record.take(headers)
        let isWake = record.wake(at: now)
        let keeps = identity == .keeps ? nil : picture
        guard let (shown, isNew) = shown(keeps, after: record, at: now) else {
            // A panel without any picture loads a notice, which needs no stored one.
            let kind: PanelNotice.Kind = identity == .notice(.noBoard) ? .noBoard : .starting
            let seconds = tellSleep(&record, panelsByID[headers.id], changes, at: now)
            var step = keep(record, effect: .display(Self.notice(kind, sleepSeconds: seconds, at: now)))
            if endsWindow { step += closePairing() }
            return step
        }
        if isNew {
            record.redraws += 1
            if let keeps, keeps.kind == .screen, let change = keeps.lastChange {
                record.lastDelaySeconds = max(0, now.milliseconds(since: change) / 1_000)
            }
        } else if isWake {
            record.redrawsSaved += 1
        }
        let isStored = record.shown?.digest == shown.digest
        if record.shown?.name != shown.name, let before = record.shown, before.downloadedAt != nil {
            record.loaded = before
        }
        record.shown = shown
        let display = PanelDisplay(
            name: shown.name,
            sleepSeconds: tellSleep(&record, panelsByID[headers.id], changes, at: now),
            owner: PanelDisplay.Owner(key: record.key, signature: Self.signature(of: shown.name, record))
        )
        var step = keep(record, png: isStored ? nil : keeps?.png, effect: .display(display))
        if endsWindow { step += closePairing() }
        return step
    }

    /// Answers a panel without a valid key; nothing is stored.
    private mutating func refuse(
        _ headers: PanelHeaders,
        _ kind: PanelNotice.Kind,
        _ picture: PanelPicture?,
        at now: Instant
    ) -> Decisions {
        remember(headers.id, kind, at: now)
        let sleep = pairing(at: now) != nil ? Self.pairingSleepSeconds : Self.refusedSleepSeconds
        return Step(effects: [.display(Self.notice(kind, picture, sleepSeconds: sleep, at: now))])
    }

    /// Returns the answer with a notice; `picture` is its picture, which gives it its name.
    private static func notice(
        _ kind: PanelNotice.Kind,
        _ picture: PanelPicture? = nil,
        sleepSeconds: Int64,
        at now: Instant
    ) -> PanelDisplay {
        // The name is new each day, so its file is never removed while it is shown.
        let seconds = now.milliseconds / 1_000
        let name = PictureName(
            .notice,
            identity: "\(kind.rawValue) \(picture?.digest.rawValue ?? "")",
            epoch: seconds - seconds % keptSeconds
        )
        return PanelDisplay(name: name, sleepSeconds: sleepSeconds, notice: kind)
    }

    /// Returns what a panel shows from now on, and whether it must load it; nil if there is no picture.
    ///
    /// A panel keeps its picture if `picture` is nil, or if the pixels are the same.
    private func shown(
        _ picture: PanelPicture?,
        after record: PanelRecord,
        at now: Instant
    ) -> (shown: PanelRecord.Shown, isNew: Bool)? {
        let shown = record.shown
        guard let picture else { return shown.map { ($0, false) } }
        let seconds = now.milliseconds / 1_000
        if let shown, shown.digest == picture.digest, Self.isKept(shown, at: seconds) { return (shown, false) }
        // The panel was told another picture and did not load it, so it shows the one before.
        if let loaded = record.loaded, shown?.downloadedAt == nil, loaded.digest == picture.digest,
            Self.isKept(loaded, at: seconds)
        {
            return (loaded, false)
        }
        // Names of different pictures differ, even if our clock was set back a little. The firmware does not keep a file with a
        // time in the future, so names that a clock ahead has made do not count.
        let told = [shown, record.loaded].compactMap { $0?.name.epoch }.filter { $0 <= seconds + Self.latestName }
        let epoch = max(seconds - Self.clockMargin, (told.max() ?? -1) + 1)
        let name = PictureName(picture.kind, identity: picture.identity, epoch: epoch)
        return (PanelRecord.Shown(digest: picture.digest, name: name), true)
    }

    /// Returns whether a panel has kept the file of a picture.
    ///
    /// The firmware removes a file with an old name, or one of the future, right after its download, and would load it again.
    private static func isKept(_ shown: PanelRecord.Shown, at seconds: Int64) -> Bool {
        guard shown.name.epoch <= seconds + latestName else { return false }
        let oldest = shown.name.epoch + keptSeconds - renewalLead
        if seconds < oldest { return true }
        return shown.downloadedAt.map { $0.milliseconds / 1_000 < oldest + renewalLead } ?? false
    }

    // MARK: Sleep

    /// Decides how long a panel sleeps, and records it; returns the time that the panel is told, in seconds.
    private func tellSleep(
        _ record: inout PanelRecord,
        _ panel: SleepingPanel?,
        _ changes: BoardChanges,
        at now: Instant
    ) -> Int64 {
        guard let panel else {
            (record.sleepSeconds, record.nextWake, record.earliestWake) = (Self.refusedSleepSeconds, nil, nil)
            return Self.refusedSleepSeconds
        }
        var quietEnd: @Sendable (Instant) -> Instant? = { _ in nil }
        if let quiet = panel.quietHours, let days = LocalDays(identifier: panel.timeZone) {
            quietEnd = { quiet.end(around: $0, in: days) }
        }
        var wake = PanelWake(
            interval: panel.interval,
            limits: PanelWake.Limits(minimumSleep: panel.minimumSleep, maximumSleep: panel.maximumSleep),
            clock: record.clock,
            quietEnd: quietEnd
        )
        wake.sleepUntil = record.sleepUntil
        (wake.certainChange, wake.possibleChanges) = (changes.certain, changes.possible)
        let sleep = wake.next(at: now)
        record.take(sleep)
        return Int64(sleep.seconds)
    }

    /// The next wakes of all panels of the configuration, except for those that keep their pictures then.
    var wakeTimes: [PanelWakeTime] {
        panels.compactMap { panel in
            guard let record = state.records[PanelRecord.key(of: panel)], let next = record.nextWake,
                let earliest = record.earliestWake, !record.keepsPicture(at: next)
            else { return nil }
            return PanelWakeTime(board: panel.board, earliest: earliest)
        }
    }

    // MARK: Bytes

    /// The number of hexadecimal digits in the signature of a picture's address.
    private static let signatureDigits = 32

    /// Returns the signature of a picture's address, which nobody can make who does not know the key's hash.
    ///
    /// So a client needs no header to load the picture that it was told to show.
    static func signature(of name: PictureName, _ record: PanelRecord) -> String {
        String(HMAC.hexDigest(of: name.rawValue, key: Array((record.keyHash ?? "").utf8)).prefix(signatureDigits))
    }

    mutating func download(
        key: String,
        name: PictureName,
        signature: String,
        at now: Instant
    ) -> Decisions {
        guard var record = state.records[key], record.keyHash != nil, var shown = record.shown, shown.name == name,
            SHA256.areEqual(Self.signature(of: name, record), signature)
        else { return Step(effects: [.picture(nil)]) }
        let digest = shown.digest
        // Before the bytes are sent: a panel that has the picture must never be told another name for it.
        shown.downloadedAt = now
        record.shown = shown
        return keep(record, effect: .picture(digest))
    }

    // MARK: Other clients

    mutating func wake(_ name: PanelName, _ changes: BoardChanges, at now: Instant) -> Decisions {
        guard let panel = panelsByName[name] else {
            return Step(effects: [.refused(RequestError(.notFound, "There is no panel '\(name)'."))])
        }
        let key = PanelRecord.key(of: panel)
        var record = state.records[key] ?? PanelRecord(id: panel.id, name: panel.id == nil ? name : nil)
        _ = record.wake(at: now)
        let seconds = tellSleep(&record, panel, changes, at: now)
        guard state.records[key] != nil || state.records.count < Self.maximumRecords else {
            return Step(effects: [.sleep(seconds)])
        }
        return keep(record, effect: .sleep(seconds))
    }
}
