// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors
//
// A timeline provider for WidgetKit (iOS 17). It is not compiled here, because Apple's frameworks do not exist on Linux.

import SwiftUI
import WidgetKit

struct PictureEntry: TimelineEntry {
    let date: Date
    let picture: Data?
}

struct PictureProvider: TimelineProvider {
    /// Create the token with `tidings token new --name phone --scope read`.
    private static let address = URL(string: "https://tidings.example/widgets/blog/phone-classic.png")
    private static let token = "tdg_YOUR_TOKEN"

    func placeholder(in context: Context) -> PictureEntry { PictureEntry(date: .now, picture: nil) }

    func getSnapshot(in context: Context, completion: @escaping (PictureEntry) -> Void) {
        Task { completion(await load().entry) }
    }

    func getTimeline(in context: Context, completion: @escaping (Timeline<PictureEntry>) -> Void) {
        Task {
            let (entry, nextChange) = await load()
            completion(Timeline(entries: [entry], policy: .after(nextChange)))
        }
    }

    /// URLSession's cache sends If-None-Match, and answers a 304 with the picture that it has.
    private func load() async -> (entry: PictureEntry, nextChange: Date) {
        let later = Date.now.addingTimeInterval(15 * 60)
        guard let address = Self.address else { return (PictureEntry(date: .now, picture: nil), later) }
        var request = URLRequest(url: address)
        request.setValue("Bearer \(Self.token)", forHTTPHeaderField: "Authorization")
        guard let (data, response) = try? await URLSession.shared.data(for: request),
            let response = response as? HTTPURLResponse, response.statusCode == 200
        else { return (PictureEntry(date: .now, picture: nil), later) }
        let nextChange = response.value(forHTTPHeaderField: "Tidings-Next-Change")
            .flatMap { try? Date($0, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)) }
        return (PictureEntry(date: .now, picture: data), max(nextChange ?? later, .now.addingTimeInterval(60)))
    }
}
