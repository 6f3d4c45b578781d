// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import Foundation
import WidgetSchema

/// The configuration beside which the entries lie: it defines a widget, and hosts that may be private.
private let configuration: String? = {
    let folder = NSTemporaryDirectory() + "tidings-fuzzing-\(getpid())"
    let file = folder + "/tidings.yml"
    let text = "widgets:\n  known: {kind: feed, source: 'https://fuzzing.example/feed'}\n"
    try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    return FileManager.default.createFile(atPath: file, contents: Data(text.utf8)) ? file : nil
}()

/// Fuzzes files of `widgets.d`, and the text of entries that come by HTTP.
///
/// Checks that an accepted entry defines one widget, the named one, and does not widen access.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    _ = try? TidingsConfiguration.parse(String(decoding: bytes, as: UTF8.self))
    guard let configuration, let id = WidgetID(rawValue: "added") else {
        preconditionFailure("there is no folder for files")
    }
    let file = WidgetFile(id: id, beside: configuration)
    let (loaded, errors) =
        TidingsConfiguration.loadPartially(path: configuration, environment: [:], adding: (file, bytes))
    guard errors.isEmpty else {
        precondition(errors.allSatisfy { !"\($0)".isEmpty })
        return 0
    }
    precondition(Set(loaded.widgets.map(\.id.rawValue)) == ["known", "added"])
    precondition(loaded.widgets.count == 2)
    if let source = loaded.widget(id)?.source { precondition(!source.allowPrivateNetworks && source.file == nil) }
    return 0
}
