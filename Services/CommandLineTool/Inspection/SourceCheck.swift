// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import Foundation
import HTTPTransport
import OriginRules
import ServiceRuntime
import SourceFetching
import SourceParsing
import WidgetSchema

/// A check that fetches every source of a configuration once, with the limits of a fetcher.
struct SourceCheck: Sendable {
    /// The maximum number of hosts that are requested concurrently.
    static let maximumHosts = 8

    /// One source with the widgets that show it.
    struct Target: Sendable, Hashable {
        var source: TidingsConfiguration.Source
        var parsing: Parsing
        var widgets: [WidgetID]

        /// A key of source and parsing; all widgets whose sources have the same key need only one request.
        var key: [String] { [parsing.key, source.id.rawValue] }

        func hash(into hasher: inout Hasher) { hasher.combine(key) }
    }

    /// The result for a source.
    enum Finding: Sendable, Hashable {
        /// The source was read; the first two values are the number of its items and its title.
        ///
        /// `movedTo` is the new URL if the source has moved permanently. If the source is a web page that announces a
        /// feed, `announced` is the URL of this feed, and the other values describe the feed. `unused` are the members of
        /// a JSON document that were not used. `schemes` are the URL schemes of the links to apps.
        case items(
            Int,
            title: String?,
            movedTo: String? = nil,
            announced: String? = nil,
            unused: [UnusedMember] = [],
            schemes: Set<String> = []
        )
        case failure(Kind, String)

        /// The kind of a failure; the summary of a check counts the failures of each kind.
        enum Kind: String, Sendable, Hashable {
            case unreachable
            case answer = "answered with an error"
            case document = "not understood"
            case file = "unreadable"
        }

        var isFailure: Bool { if case .failure = self { true } else { false } }
    }

    let targets: [Target]
    let spacing: Duration
    /// The URL schemes of the links that clients may follow; links with other schemes are left out of layouts.
    let linkSchemes: Set<String>
    private let secrets: Secrets
    private let fileDirectory: String?

    init(_ configuration: TidingsConfiguration) {
        var targets: [Target] = []
        var places: [[String]: Int] = [:]
        for widget in configuration.widgets {
            guard let source = widget.source else { continue }
            let target = Target(source: source, parsing: widget.parsing, widgets: [widget.id])
            if let place = places[target.key] {
                targets[place].widgets.append(widget.id)
            } else {
                places[target.key] = targets.count
                targets.append(target)
            }
        }
        self.targets = targets
        spacing = configuration.fetching.hostSpacing
        linkSchemes = configuration.linkSchemes
        secrets = configuration.secrets
        fileDirectory = configuration.fetching.fileDirectory.map { URL(filePath: $0).path }
    }

    /// Checks all targets, and calls `report` with each result, in the order of `targets`.
    ///
    /// Blocks the calling thread until the check ends. A result is reported as soon as the results of all earlier
    /// targets have been reported. If `report` returns false, the check ends.
    func run(_ report: @escaping @Sendable (Target, Finding) -> Bool) {
        let ended = DispatchSemaphore(value: 0)
        // The main thread may wait, because it is not one of Swift's cooperative threads.
        Task.detached {
            await check(report)
            ended.signal()
        }
        ended.wait()
    }

    private func check(_ report: @Sendable (Target, Finding) -> Bool) async {
        let hosts = Dictionary(grouping: targets.indices) { Self.host(of: targets[$0].source.url) }
            .values.map { $0.sorted() }.sorted { ($0.first ?? 0) < ($1.first ?? 0) }
        var findings: [Int: Finding] = [:]
        var next = 0
        let (answers, answered) = AsyncStream<(Int, Finding)>.makeStream()
        await withHTTPClient(configuration: OriginRequest.client) { http in
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    await withTaskGroup(of: Void.self) { group in
                        for (position, indices) in hosts.enumerated() {
                            if position >= Self.maximumHosts { await group.next() }
                            group.addTask { await ask(indices, http) { answered.yield(($0, $1)) } }
                        }
                    }
                    answered.finish()
                }
                for await (index, finding) in answers {
                    findings[index] = finding
                    while let found = findings.removeValue(forKey: next) {
                        guard report(targets[next], found) else { return group.cancelAll() }
                        next += 1
                    }
                }
            }
        }
    }

    /// Fetches the sources of one host one after another, and passes each result to `report`.
    ///
    /// `indices` are indices in `targets`. The first argument of `report` is one of these indices.
    private func ask(_ indices: [Int], _ http: HTTPClient, _ report: (Int, Finding) -> Void) async {
        for (position, index) in indices.enumerated() {
            if position > 0 { try? await Task.sleep(for: spacing) }
            guard !Task.isCancelled else { return }
            report(index, await ask(targets[index], http))
        }
    }

    private func ask(_ target: Target, _ http: HTTPClient) async -> Finding {
        if let file = target.source.file { return read(file, target) }
        do throws(HTTPFailure) {
            let response = try await http.fetch(request(target, target.source.url))
            let finding = Self.finding(response, target.parsing)
            guard finding.isFailure, target.parsing.kind == .feed, let feed = response.announcedFeed else {
                return finding
            }
            // A page that announces its feed is accepted if a fetcher follows the announcement, too.
            guard !response.isFromElsewhere else {
                return .failure(
                    .document,
                    "a temporary redirect leads to a web page on another host; if the feed that it announces is the "
                        + "right one, configure \(feed)"
                )
            }
            let announced = Self.finding(try await http.fetch(request(target, feed)), target.parsing)
            guard case .items(let count, let title, _, _, let unused, let schemes) = announced else {
                return .failure(
                    .document,
                    "the document is a web page, and the document that it announces as its feed is not a feed: \(feed)"
                )
            }
            return .items(count, title: title, announced: feed, unused: unused, schemes: schemes)
        } catch {
            return .failure(.unreachable, error.message)
        }
    }

    /// Reads and parses a file source, and returns the result.
    ///
    /// The file is read on the calling thread, because this takes little time.
    private func read(_ file: String, _ target: Target) -> Finding {
        do throws(FileSourceFailure) {
            let bytes = try FileSource.read(file, below: fileDirectory ?? "")
            let document = HTTPResponse(status: 200, headers: [], body: bytes, finalURL: target.source.url)
            return Self.finding(document, target.parsing)
        } catch {
            return .failure(.file, error.message)
        }
    }

    private func request(_ target: Target, _ url: String) -> HTTPRequest {
        let headers = target.source.headers.sorted { $0.key < $1.key }.map {
            RequestHeader(name: $0.key, value: secrets.filled($0.value))
        }
        return OriginRequest.request(
            url,
            headers: headers.sendable(to: url, configuredFor: target.source.url).map { HTTPHeader($0.name, $0.value) },
            allowPrivateNetworks: target.source.allowPrivateNetworks
        )
    }

    static func finding(_ response: HTTPResponse, _ parsing: Parsing) -> Finding {
        if let problem = response.documentProblem { return .failure(.answer, "the origin \(problem)") }
        do throws(ParsingError) {
            // The move is permanent only if every hop is.
            let moved = response.hops.prefix(while: \.isPermanent).last?.to
            let body = response.sourceBody(received: .now)
            let count: Int
            var title: String?
            var appSchemes: Set<String> = []
            switch parsing.kind {
            case .feed:
                let feed = try SourceParser.parseFeed(body)
                (count, title) = (feed.items.count, feed.title?.plain())
            case .keyValue, .forecast, .quote, .documents, .json:
                let content = try SourceParser.parse(body, parsing: parsing)
                (count, appSchemes) = (content.count, schemes(of: content))
            }
            let unused = UnusedMember.find(in: body, parsing: parsing)
            return .items(count, title: title, movedTo: moved, unused: unused, schemes: appSchemes)
        } catch {
            return .failure(.document, error.message)
        }
    }

    /// Returns the URL schemes of a content's links to apps, in lower case.
    private static func schemes(of content: Content) -> Set<String> {
        let links: [String?] =
            switch content {
            case .documents(let recent): recent.documents.map(\.link)
            case .json(let list): list.rows.map(\.link)
            case .feed, .keyValue, .forecast, .quote: []
            }
        return Set(links.compactMap(\.self).filter { !LinkSchemes.isOfTheWeb($0) }.compactMap(LinkSchemes.scheme))
    }

    private static func host(of url: String) -> String {
        URLComponents(string: url)?.host?.lowercased() ?? ""
    }
}
