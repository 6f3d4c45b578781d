// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WidgetSchema

/// Values of the wire types as the golden files have them.
enum Samples {
    static let widget = valid(WidgetID(rawValue: "blog"))
    static let source = valid(SourceID(rawValue: "0123456789abcdef"))
    static let phone = valid(DisplayName(rawValue: "phone-classic"))
    static let instance = valid(InstanceName(rawValue: "host-4711"))
    static let fetched = read(Event<Fetched>.self, "fetched")
    static let refreshed = read(Event<Refreshed>.self, "refreshed")
    static let refreshedFailed = read(Event<Refreshed>.self, "refreshed-failed")
    static let laidOut = read(Event<LaidOut>.self, "laidout")
    static let layoutChanged = read(Event<LayoutChanged>.self, "layout")
    static let update = read(Event<Update>.self, "update")
    static let updateFailed = read(Event<Update>.self, "update-failed")
    static let updateBlocked = read(Event<Update>.self, "update-blocked")
    static let cacheHeads = read(Event<CacheHeads>.self, "heads-cache")
    static let notifierHeads = read(Event<NotifierHeads>.self, "heads-notifier")
    static let schedule = read(Event<SourceSchedule>.self, "schedule")
    static let health = read(Event<Health>.self, "health")

    static func read<Value: Decodable>(_ type: Value.Type, _ name: String) -> Value {
        do {
            return try WireJSON.decode(type, from: Data(contentsOf: GoldenFile.folder.appending(path: name + ".json")))
        } catch {
            preconditionFailure("the golden file \(name).json is not read: \(error)")
        }
    }

    static func valid<Value>(_ value: Value?) -> Value {
        guard let value else { preconditionFailure("the samples are written with valid values") }
        return value
    }
}
