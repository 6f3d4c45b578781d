// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import AccessTokens
import Configuration
import EventStreams
import Foundation
import OriginRules
import ServiceRuntime
import Telemetry
import WebServer
import WidgetSchema

/// The two routes of the function "Add a widget".
///
/// The first route inspects a URL and returns previews of the widgets that can show it. The second route writes a new
/// widget to a file in the folder `widgets.d` beside the configuration file.
struct InspectRoutes: Sendable {
    struct Inspection: Codable, Hashable, Sendable {
        var url: String
        /// The kind of widget to try; nil to try every kind that the document's format allows.
        var kind: WidgetKind?
        /// The displays of the preview; nil for the first display of the configuration.
        var displays: [DisplayName]?
    }

    /// The result of inspecting a URL.
    struct Report: Codable, Hashable, Sendable {
        struct Reading: Codable, Hashable, Sendable {
            var kind: WidgetKind
            /// The number of elements that were found: posts, facts, days, quotes, documents or rows, depending on
            /// `kind`.
            var count: Int
            var title: String?
            /// A suggested id for the widget; no configured widget has this id.
            var id: WidgetID
            /// The lines that configure the suggested widget; they belong below `widgets:` in the configuration.
            var entry: String
            /// The layouts for the preview; empty if the layout service is not available.
            var layouts: [PreviewAnswer.Entry]
        }

        /// The URL to configure: the inspected URL or, if the web page there announces a feed, the feed's URL.
        var url: String
        /// One result for each tried kind of widget that can read the document, the most specific kind first.
        var readings: [Reading]
        /// A Boolean value that indicates whether the gateway may write widgets to the configuration.
        ///
        /// This needs a configuration file in which `gateway.addWidgets` is true.
        var mayAdd: Bool
    }

    struct Addition: Codable, Hashable, Sendable {
        var id: WidgetID
        /// The lines that configure the widget; they belong below `widgets:` in the configuration, as in
        /// `Reading.entry`.
        var entry: String
    }

    /// The maximum size of the configuration lines (`entry`) of a widget, in bytes.
    static let maximumEntryBytes = 64 * 1024
    /// The timeout of one inspection: a fetcher has 30 s for the request and 20 s for the document.
    private static let timeout: Duration = .seconds(60)

    let gateway: GatewayParts
    private let inspectionLimit = InspectionLimit()

    init(gateway: GatewayParts) { self.gateway = gateway }

    var routes: [Route] {
        [
            Route(
                path: "/v1/inspect",
                method: .post,
                scope: .admin,
                id: "inspectSource",
                summary: "Inspects a URL, and previews the widgets that can show its document.",
                body: ("application/json", "Inspection"),
                responses: [
                    Operation.Response(
                        status: 200,
                        summary: "The readings.",
                        content: [("application/json", "InspectionReport")]
                    ),
                    .problem(404, "A requested display does not exist."),
                    .problem(422, "The address is invalid or does not answer, or no widget can show its document."),
                ],
                handle: inspect
            ),
            Route(
                path: "/v1/widgets",
                method: .post,
                scope: .admin,
                id: "addWidget",
                summary: "Writes a widget to the configuration, if `gateway.addWidgets` allows it.",
                body: ("application/json", "WidgetAddition"),
                responses: [
                    Operation.Response(status: 201, summary: "The widget's file is written.", headers: [.location]),
                    .problem(409, "The widget exists already, or adding widgets is turned off."),
                    .problem(422, "The widget's configuration entry is invalid."),
                ],
                handle: { call throws(Problem) in .now(try add(call)) }
            ),
        ]
    }

    // MARK: Inspecting

    @Sendable private func inspect(_ call: Call) throws(Problem) -> WebAnswer {
        let body: Inspection = try call.body("{\"url\": …}")
        if let problem = RequestSyntax.problem(url: body.url) {
            throw Problem(422, "bad-address", "The address cannot be used as a source.", problem)
        }
        let displays = try displays(body.displays)
        return .async(call) { () throws(Problem) in
            try .json(try await report(body, displays))
        }
    }

    private func displays(_ names: [DisplayName]?) throws(Problem) -> [Display] {
        let configuration = gateway.configuration
        guard let names else { return Array(configuration.displays.prefix(1)) }
        guard (1...PreviewRequest.maximumDisplays).contains(names.count) else {
            throw .badBody("A preview needs 1 to \(PreviewRequest.maximumDisplays) displays.")
        }
        var displays: [Display] = []
        for name in names {
            guard let display = configuration.display(name) else {
                throw .notFound(
                    "There is no display '\(name)'; \(gateway.access.basePath)/v1/displays lists all displays."
                )
            }
            displays.append(display)
        }
        return displays
    }

    private func report(_ inspection: Inspection, _ displays: [Display]) async throws(Problem) -> Report {
        var url = inspection.url
        var found = try await inspect(url, as: inspection.kind)
        if let feed = found.announcedFeed {
            url = feed
            found = try await inspect(url, as: inspection.kind)
        }
        if let problem = found.problem {
            switch problem.kind {
            case .noAnswer:
                throw Problem(422, "no-answer", "The address does not answer.", problem.message)
            case .nothingToShow:
                throw Problem(
                    422,
                    "nothing-to-show",
                    "No widget can show the document at the address.",
                    problem.message
                )
            }
        }
        let taken = gateway.configuration.widgets.map(\.id)
        var readings: [Report.Reading] = []
        for reading in found.readings {
            var naming = WidgetNaming(taken: taken)
            let entry = WidgetEntryText(
                id: naming.id(title: reading.title, url: url),
                parsing: reading.parsing,
                url: url
            )
            let definition = WidgetDefinition(kind: reading.parsing.kind)
            let request = PreviewRequest(definition: definition, content: reading.content, displays: displays)
            let layouts = try? await gateway.ask(.layout, request, timeout: GatewayParts.renderTimeout).result.layouts
            readings.append(
                Report.Reading(
                    kind: reading.parsing.kind,
                    count: reading.content.count,
                    title: reading.title,
                    id: entry.id,
                    entry: entry.text,
                    layouts: layouts ?? []
                )
            )
        }
        return Report(url: url, readings: readings, mayAdd: mayAdd)
    }

    /// Has a fetcher request a URL and read the answer.
    ///
    /// Throws if the URL's host has asked for a pause, by the fetch schedule that the cache announces, or is being inspected.
    private func inspect(_ url: String, as kind: WidgetKind?) async throws(Problem) -> InspectAnswer {
        let host = OriginHost.name(of: url)
        let now = Instant.now
        if let end = gateway.view.withFetches({ $0.blockedUntil(host, at: now) }) {
            throw Problem(
                429,
                "host-asked-for-a-pause",
                "The host has asked for a pause.",
                "'\(host)' has asked for no requests until \(end).",
                headers: [WebHeader("Retry-After", "\(end.milliseconds(since: now) / 1000 + 1)")]
            )
        }
        guard inspectionLimit.take(host) else {
            gateway.metrics.limit("gateway.inspections").increment()
            throw Problem(
                429,
                "too-many-inspections",
                "Too many addresses are being inspected.",
                "At most \(InspectionLimit.maximum) addresses are inspected at once, and one of a host; repeat the "
                    + "request in a few seconds.",
                headers: [WebHeader("Retry-After", "5")]
            )
        }
        defer { inspectionLimit.giveBack(host) }
        // The route requires the scope `admin`. The fetcher checks its own configuration, too.
        let request = InspectRequest(
            url: url,
            kind: kind,
            allowPrivateNetworks: gateway.configuration.fetching.allowPrivateNetworks
        )
        // A fetcher carries out a repeated request once, so the repetitions go to the same one.
        let fetcher = gateway.view.fetcher(inspecting: host)
        return try await gateway.ask(.fetcher, instance: fetcher, request, timeout: Self.timeout).result
    }

    // MARK: Adding

    private var mayAdd: Bool { gateway.configuration.gateway.addWidgets && gateway.configuration.file != nil }

    private func add(_ call: Call) throws(Problem) -> WebResponse {
        let body: Addition = try call.body("{\"id\": …, \"entry\": …}")
        guard body.entry.utf8.count <= Self.maximumEntryBytes else {
            throw .badBody("The configuration entry has more than \(Self.maximumEntryBytes) bytes.")
        }
        guard let file = gateway.configuration.file, mayAdd else {
            throw Problem(
                409,
                "adding-is-off",
                "The gateway may not write the configuration.",
                "Write the widget's lines into tidings.yml by hand, or set gateway.addWidgets: true."
            )
        }
        guard !body.entry.contains("${") else {
            throw Problem(
                422,
                "names-a-secret",
                "The entry contains '${'.",
                "Write entries with ${NAME} into the configuration by hand."
            )
        }
        let new = WidgetFile(id: body.id, beside: file)
        guard gateway.configuration.widget(body.id) == nil, !new.exists else {
            throw Problem(
                409,
                "id-taken",
                "A widget with this id already exists.",
                "Choose another id than '\(body.id)'."
            )
        }
        do throws(WidgetFile.Failure) {
            try new.write("widgets:\n\(body.entry)", checkedWith: file)
        } catch {
            switch error {
            case .invalid(let errors):
                throw Problem(422, "invalid-entry", "The widget's configuration entry is invalid.", errors.description)
            case .cannotWrite(let reason):
                throw Problem(500, "cannot-write", "The widget's file cannot be written.", reason)
            }
        }
        gateway.log.notice("A widget was added.", [.widget: body.id, .path: new.path])
        return WebResponse(
            status: 201,
            headers: [WebHeader("Location", "\(gateway.access.basePath)/v1/widgets/\(body.id)")]
        )
    }
}
