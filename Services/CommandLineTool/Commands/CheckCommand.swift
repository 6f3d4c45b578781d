// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CommandOptions
import Configuration
import Locking
import SourceParsing
import WidgetSchema

/// `tidings check`: validates a configuration and shows its contents.
enum CheckCommand: Subcommand {
    static let table = OptionTable(
        command: "tidings check",
        summary: "Reports all errors in a configuration.",
        operands: [
            Operand(
                "CONFIG",
                isOptional: true,
                help: "The configuration's file (default: TIDINGS_CONFIG, else tidings.yml)."
            )
        ],
        options: [
            Option("fetch", help: "Fetch every source once, one at a time per host, and report the results."),
            Option("destinations", help: "Check whether each destination can be reached, without a message."),
            Option("boards", help: "Draw the grid of each board."),
            Option("list", short: "l", help: "List all widgets with their sources and displays."),
        ],
        notes: """
            Exit status: 2 if the configuration is invalid, or if 'tidings up' or a fetcher
            would reject a part of it; each line on standard error begins with
            FILE:LINE:COLUMN. With --fetch: 1 if a source fails. With --destinations:
            1 if a destination cannot be reached.
            """
    )

    static func run(_ options: ParsedOptions, environment: [String: String]) throws -> CommandStatus {
        let (configuration, errors) = TidingsConfiguration.loadPartially(
            path: options.operands.first,
            environment: environment,
            needsSecrets: [.ofSources, .ofDestinations]
        )
        guard let file = configuration.file else {
            throw CommandFailure(
                .wrongUse,
                "there is no \(TidingsConfiguration.defaultFile) here; name the file to check"
            )
        }
        let isFetching = options.has("fetch")
        var faults = errors + (isFetching ? [] : configuration.rejectedSources)
        if let problem = configuration.bus.exposure { faults.append(ConfigurationError(.file(file, nil), problem)) }
        // With --fetch, a rejected source is only a warning: its own fetch shows the result.
        let warnings = configuration.warnings + (isFetching ? configuration.rejectedSources.map(\.description) : [])
        for warning in warnings { Program.note("warning: \(warning)") }
        guard faults.isEmpty else { throw ConfigurationErrors(faults) }
        if !isFetching || options.has("list") {
            try StandardOutput.write(summary(configuration, lists: options.has("list")))
        }
        if options.has("boards") { try StandardOutput.write(sketches(configuration)) }
        let sources = isFetching ? try fetch(SourceCheck(configuration), environment: environment) : .done
        guard options.has("destinations") else { return sources }
        let destinations = try DestinationCheck.run(configuration, environment: environment)
        return sources == .done ? destinations : sources
    }

    // MARK: Sources

    private static func fetch(_ check: SourceCheck, environment: [String: String]) throws -> CommandStatus {
        let style = Terminal.ofOutput(environment: environment).style
        let progress = FetchProgress(total: check.targets.count)
        let state = Lock((failures: [String: Int](), problem: (any Error)?.none))
        check.run { target, finding in
            if let warning = warning(target, finding, allowed: check.linkSchemes) {
                Program.note("warning: \(warning)")
            }
            if case .failure(let kind, _) = finding { state.withLock { $0.failures[kind.rawValue, default: 0] += 1 } }
            do {
                try progress.finish(one: line(target, finding, style))
                return true
            } catch {
                state.withLock { $0.problem = error }
                return false
            }
        }
        let (failures, problem) = state.withLock(\.self)
        if let problem { throw problem }
        let failed = failures.values.reduce(0, +)
        guard failed > 0 else { return .done }
        let kinds = failures.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.value) \($0.key)" }
        let total = Program.count(check.targets.count, "source")
        Program.note("\(failed) of \(total) failed: \(kinds.joined(separator: ", "))")
        return .no
    }

    /// Returns the line of output for one source: the ids of its widgets, and the result of its fetch.
    static func line(_ target: SourceCheck.Target, _ finding: SourceCheck.Finding, _ style: TextStyle) -> String {
        let widgets = target.widgets.map(\.rawValue).joined(separator: ", ")
        let text: String
        switch finding {
        case .items(let number, let title, let movedTo, let announced, let unused, _):
            text =
                style.text("ok", .good) + "      \(widgets): \(Program.count(number, "item"))"
                + (title.map { ", \"\($0)\"" } ?? ", without a title")
                + (movedTo.map { "; moved permanently to \($0)" } ?? "")
                + (announced.map { "; a web page, whose feed is \($0)" } ?? "")
                + (UnusedMember.text(unused).map { "; \($0)" } ?? "")
        case .failure(_, let message):
            text = style.text("failed", .bad) + "  \(widgets): \(target.source.url): \(message)"
        }
        return style == .plain ? MessagePrinter.printable(text) : text
    }

    /// Returns the warning about links of a source that the gateway leaves out of layouts; nil if there are none.
    ///
    /// `allowed` are the URL schemes of the links that clients may follow.
    static func warning(
        _ target: SourceCheck.Target,
        _ finding: SourceCheck.Finding,
        allowed: Set<String>
    ) -> String? {
        guard case .items(_, _, _, _, _, let schemes) = finding else { return nil }
        let others = schemes.subtracting(allowed).sorted()
        guard !others.isEmpty else { return nil }
        let widgets = target.widgets.map(\.rawValue).joined(separator: ", ")
        return MessagePrinter.printable(
            "\(widgets): HTTP clients get no links with the scheme \(others.joined(separator: ", ")); to allow them, write "
                + "gateway: {linkSchemes: [\((allowed.union(others)).sorted().joined(separator: ", "))]}"
        )
    }

    /// Returns the grids of all boards.
    static func sketches(_ configuration: TidingsConfiguration) -> String {
        guard !configuration.boards.isEmpty else { return "The configuration has no boards.\n" }
        return configuration.boards.compactMap { BoardSketch($0, of: configuration)?.text }.joined(separator: "\n")
    }

    static func summary(_ configuration: TidingsConfiguration, lists: Bool) -> String {
        let sources = Set(configuration.widgets.compactMap(\.source?.id))
        let counts = [
            Program.count(configuration.widgets.count, "widget"), Program.count(sources.count, "source"),
            Program.count(configuration.displays.count, "display"),
        ]
        let boards = configuration.boards.count
        let destinations = configuration.destinations.count
        let all =
            counts + (boards == 0 ? [] : [Program.count(boards, "board")])
            + (destinations == 0 ? [] : [Program.count(destinations, "destination")])
        var text =
            "\(configuration.file ?? TidingsConfiguration.defaultFile) is valid: \(all.joined(separator: ", ")).\n"
        for widget in configuration.widgets where lists {
            text += "  widget \(widget.id): \(widget.definition.kind.rawValue) from \(widget.source?.url ?? "pushes")"
            text += " on \(widget.displays.map(\.rawValue).joined(separator: ", "))"
            let interval =
                widget.isFetchedWhenShown ? TidingsConfiguration.Widget.whenShown : DurationText.text(widget.interval)
            if widget.source != nil { text += ", interval \(interval)" }
            let isOnPanel = configuration.displays(of: widget).contains { $0.family == .panel }
            if isOnPanel, let time = widget.staleAfter { text += ", staleAfter \(DurationText.text(time))" }
            text += "\n"
        }
        return text
    }
}
