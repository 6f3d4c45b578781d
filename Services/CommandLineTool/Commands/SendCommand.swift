// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CommandOptions
import Configuration
import Foundation
import MessageBus
import ServiceRuntime
import WidgetSchema

/// `tidings send`: sends a command to a widget and shows the verdict of the resulting cycle.
enum SendCommand: Subcommand {
    static let table = OptionTable(
        command: "tidings send",
        summary: "Sends a command to a widget, and shows the verdict.",
        operands: [
            Operand("WIDGET", help: "The widget's id."),
            Operand(
                "COMMAND",
                choices: Command.Name.allCases.map(\.rawValue),
                help: "setExpanded true|false, performUpdate, refresh or nextValue."
            ),
            Operand(
                "ARGUMENT",
                choices: ["true", "false"],
                isOptional: true,
                help: "What the command needs: true or false."
            ),
        ],
        options: [
            Option(
                "display",
                value: "NAME",
                help: "The display that the command is for (default: all of the widget's displays)."
            )
        ] + cycleOptions("command") + BusChoice.options,
        notes: "Exit status: 1 if there is no such widget, or if the command is rejected."
    )

    /// Returns the options of a command that sends a request for a cycle; `noun` is what it sends.
    static func cycleOptions(_ noun: String) -> [Option] {
        [
            Option("client", value: "ID", help: "The name of the sender (default: tidings-USER@HOST)."),
            Option(
                "counter",
                value: "N",
                help: "The number of this \(noun), higher than that of the client's previous one (default: the time in "
                    + "milliseconds). A \(noun) that is sent again with the same number has no second effect."
            ),
            Option("no-wait", help: "Do not wait for the verdict; show the cycle's number only."),
            Option("json", short: "j", help: "The verdict as one CloudEvent."),
        ]
    }

    /// The maximum time to wait for the verdict after a cycle has been committed.
    static let verdictTimeout: Duration = .seconds(10)
    /// The interval at which the notifier is asked for the verdict while no update arrives.
    static let askInterval: Duration = .milliseconds(500)
    static let maximumClientBytes = 128

    static func run(_ options: ParsedOptions, environment: [String: String]) throws -> CommandStatus {
        let request = try request(options, environment: environment, now: .now)
        let address = try BusChoice.address(options, environment: environment)
        let output = VerdictOutput(options, environment: environment)
        return try deliver(request, to: request.widget, at: address, output)
    }

    /// The options for the output: whether to wait for the verdict and for how long for the cache, and the format.
    struct VerdictOutput {
        let waits: Bool
        let isJSON: Bool
        let terminal: Terminal
        /// The timeout for the cache's answer.
        let timeout: Duration

        init(_ options: ParsedOptions, environment: [String: String]) {
            waits = !options.has("no-wait")
            isJSON = options.has("json")
            terminal = .ofOutput(environment: environment)
            timeout = options.partialConfiguration(environment).configuration.fetching.commandTimeout
        }
    }

    /// Sends the cache a request that creates a cycle, and shows the verdict of the cycle.
    ///
    /// If `output.waits` is false, shows only the widget and the sequence number of the cycle.
    static func deliver<Body: RequestBody>(
        _ request: Body,
        to widget: WidgetID,
        at address: BusAddresses,
        _ output: VerdictOutput
    ) throws -> CommandStatus where Body.Result == CycleAnswer {
        let prefixes = output.waits ? UpdateResult.allCases.map { Topic.update($0, widget).text } : []
        let session = try BusSession(address, subscriptions: prefixes)
        defer { session.close() }
        let answer: CycleAnswer
        do throws(CommandFailure) {
            answer = try session.ask(RequestTarget(.cache), request, within: output.timeout)
        } catch {
            let known = error.status == .no ? KnownWidgets.all(session) : []
            guard !known.isEmpty, !known.contains(widget) else { throw error }
            throw CommandFailure(
                .no,
                "there is no widget '\(widget)'" + KnownWidgets.suggestion(for: widget, among: known)
            )
        }
        guard output.waits else {
            try StandardOutput.write("\(answer.widget) \(answer.sequence.number)\n")
            return .done
        }
        guard let event = try verdict(of: answer, session) else {
            throw CommandFailure(
                .unreachable,
                "cycle \(answer.sequence.number) of '\(answer.widget)' was committed, but no verdict arrived within "
                    + "\(verdictTimeout / .seconds(1)) s; check with 'tidings health' that layout and notifier are running"
            )
        }
        if output.isJSON {
            try StandardOutput.write(json: event)
        } else {
            let table = UpdateTable(output.terminal)
            try StandardOutput.write(table.header + "\n" + table.row(event) + "\n")
        }
        return .done
    }

    /// Returns the request that the command line describes.
    static func request(
        _ options: ParsedOptions,
        environment: [String: String],
        now: Instant
    ) throws(UsageError) -> CommandRequest {
        let widget: WidgetID = try id(options.operands[0], "widget id")
        let command = try command(options.operands[1], argument: options.operands.dropFirst(2).first)
        let (client, counter) = try sender(options, environment: environment, now: now)
        let display: DisplayName? = try options.value("display").map { text throws(UsageError) in
            try id(text, "display name")
        }
        return CommandRequest(client: client, counter: counter, widget: widget, command: command, display: display)
    }

    /// Returns the values of the options `--client` and `--counter`, or their defaults.
    ///
    /// The counter of a client must increase from call to call. Its default is therefore `now` in milliseconds since
    /// 1970.
    static func sender(
        _ options: ParsedOptions,
        environment: [String: String],
        now: Instant
    ) throws(UsageError) -> (client: String, counter: UInt64) {
        let client = options.value("client") ?? defaultClient(environment: environment)
        guard (1...maximumClientBytes).contains(client.utf8.count) else {
            throw options.wrongUse("option '--client' needs a value of 1 to \(maximumClientBytes) bytes")
        }
        var counter = UInt64(max(0, now.milliseconds))
        if let text = options.value("counter") {
            guard let number = UInt64(text) else {
                throw options.wrongUse("option '--counter' needs a whole number, not '\(text)'")
            }
            counter = number
        }
        return (client, counter)
    }

    static func command(_ name: String, argument: String?) throws(UsageError) -> Command {
        let known: Command.Name = try choice(name, "unknown command '\(name)'")
        switch (known, argument) {
        case (.setExpanded, "true"): return .setExpanded(true)
        case (.setExpanded, "false"): return .setExpanded(false)
        case (.setExpanded, let argument):
            throw wrongUse("setExpanded needs true or false" + (argument.map { ", not '\($0)'" } ?? ""))
        case (.performUpdate, nil): return .performUpdate
        case (.refresh, nil): return .refresh
        case (.nextValue, nil): return .nextValue
        case (_, let argument?): throw wrongUse("\(name) takes no argument, but got '\(argument)'")
        }
    }

    /// Returns the default of the option `--client`, which is the same for all calls of a user on a machine.
    static func defaultClient(environment: [String: String]) -> String {
        let user = environment["USER"] ?? environment["LOGNAME"] ?? String(getuid())
        return String("tidings-\(user)@\(ProcessInfo.processInfo.hostName)".prefix(maximumClientBytes / 4))
    }

    /// Waits for the update that contains the verdict of `cycle`; returns nil if `verdictTimeout` passes first.
    ///
    /// One update can cover several cycles. This function waits for the notifier's message with the update, and also
    /// requests the update from the notifier in intervals of `askInterval`. The request is needed if the message is
    /// lost. It is also needed if the same command was sent before, because the update may then have been published
    /// before this session subscribed.
    static func verdict(of cycle: CycleAnswer, _ session: BusSession) throws -> Event<Update>? {
        let deadline = ContinuousClock.now + verdictTimeout
        func holds(_ event: Event<Update>) -> Bool {
            event.widget == cycle.widget
                && event.range.map { $0.first <= cycle.sequence && cycle.sequence <= $0.sequence } ?? false
        }
        while ContinuousClock.now < deadline {
            let pause = min(deadline, ContinuousClock.now + askInterval)
            while let sign = session.next(until: pause) {
                guard case .message(let message) = sign, let json = message.frames.first,
                    let event = try? WireJSON.decode(Event<Update>.self, from: json), holds(event)
                else { continue }
                return event
            }
            let replay = ReplayRequest<Update>(from: [cycle.widget: cycle.sequence])
            let records = try? session.ask(RequestTarget(.notifier), replay, within: BusSession.timeout).records
            if let event = records?.first(where: holds) { return event }
        }
        return nil
    }
}
