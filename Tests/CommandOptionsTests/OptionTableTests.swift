// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CommandOptions
import ServiceRuntime
import Testing
import WidgetSchema

@Suite struct OptionTableTests {
    private let table = OptionTable(
        command: "tidings send",
        summary: "Sends a command to a widget.",
        operands: [
            Operand("WIDGET", help: "The widget."), Operand("COMMAND", help: "What it shall do."),
            Operand("VALUE", isOptional: true, help: "To which value."),
        ],
        options: [
            .config,
            Option("counter", short: "n", value: "N", help: "The number of the command."),
            Option("json", short: "j", help: "One JSON object a line."),
            Option("quiet", short: "q", help: "Say nothing."),
            Option("header", value: "HEADER", isRepeatable: true, help: "One more header."),
        ]
    )

    @Test(arguments: [
        ["blog", "refresh", "--counter", "5", "--json"], ["--counter=5", "--json", "blog", "refresh"],
        ["-n", "5", "blog", "-j", "refresh"], ["-n5", "-j", "blog", "refresh"], ["-jn5", "--", "blog", "refresh"],
        ["-jn", "5", "blog", "refresh"],
    ])
    func optionsStandAnywhereAndInEachForm(arguments: [String]) throws {
        let parsed = try table.parse(arguments)
        #expect(parsed.operands == ["blog", "refresh"])
        #expect(parsed.value("counter") == "5")
        #expect(try parsed.integer("counter", in: 0...9) == 5)
        #expect(parsed.has("json"))
        #expect(!parsed.has("quiet"))
        #expect(parsed.value("config") == nil)
    }

    @Test func whatFollowsTwoDashesIsNoOption() throws {
        #expect(try table.parse(["--", "--json", "-x"]).operands == ["--json", "-x"])
        #expect(try table.parse(["a", "-", "--counter", "--"]).operands == ["a", "-"])
    }

    @Test func aRepeatableOptionKeepsAllItsValues() throws {
        let parsed = try table.parse(["a", "b", "--header", "x: 1", "--header=y: =2", "--header="])
        #expect(parsed.values("header") == ["x: 1", "y: =2", ""])
    }

    @Test(arguments: [
        (["--jsn"], "unknown option '--jsn'; did you mean '--json'?"), (["--verbose"], "unknown option '--verbose'"),
        (["-x"], "unknown option '-x'"), (["-jx"], "unknown option '-x'"),
        (["--json=1"], "option '--json' takes no value"),
        (["--counter"], "option '--counter' needs a value: N"), (["a", "-n"], "option '-n' needs a value: N"),
        (["--json", "-j"], "option '-j' is given twice"),
        (["a"], "the argument COMMAND is missing"), ([], "the argument WIDGET is missing"),
        (["a", "b", "c", "d"], "unexpected argument 'd'"), (["--js", "a", "b"], "unknown option '--js'"),
    ])
    func whatIsWrongIsSaid(arguments: [String], problem: String) {
        #expect(throws: UsageError(command: "tidings send", problem: problem)) { try table.parse(arguments) }
    }

    @Test(arguments: ["-1", "10", "5.0", "five", ""])
    func aNumberOutOfItsRangeIsAnError(text: String) throws {
        let parsed = try table.parse(["a", "b", "--counter", text])
        let expected = "option '--counter' needs a whole number from 0 to 9, not '\(text)'"
        #expect(throws: UsageError(command: "tidings send", problem: expected)) {
            try parsed.integer("counter", in: 0...9)
        }
    }

    @Test func whoAsksForHelpNeedsNothingElse() throws {
        #expect(try table.parse(["-h"]).asksForHelp)
        #expect(try table.parse(["--version"]).asksForVersion)
    }

    @Test func theHelpIsMadeOfTheTableAndFitsTheScreen() {
        #expect(table.help.split(separator: "\n").allSatisfy { $0.count <= 80 })
        #expect(
            table.help == """
                Sends a command to a widget.

                Usage: tidings send [OPTION …] WIDGET COMMAND [VALUE]

                Arguments:
                  WIDGET   The widget.
                  COMMAND  What it shall do.
                  VALUE    To which value.

                Options:
                  -c, --config FILE    Read the configuration from FILE (default:
                                       TIDINGS_CONFIG, else tidings.yml if it exists).
                  -n, --counter N      The number of the command.
                  -j, --json           One JSON object a line.
                  -q, --quiet          Say nothing.
                      --header HEADER  One more header.
                  -h, --help           Show this help.
                  -V, --version        Show the version.

                """
        )
    }

    @Test func noTwoOptionsOfAServiceShareAName() {
        let options = ServiceMain.optionTable(.cache, summary: "").options
        #expect(Set(options.map(\.name)).count == options.count)
        #expect(Set(options.compactMap(\.short)).count == options.compactMap(\.short).count)
    }
}
