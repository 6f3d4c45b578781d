// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CommandOptions

@testable import CommandLineTool

/// Usages that need no running services.
///
/// The files are those of `UsageFiles`; no bus is where they look for one.
enum UsageTable {
    static let all =
        everyCommand + everyConfiguration + program + check + setup + kept + inspect + content + widgets + following
        + bus

    private static let names = Program.subcommands.map { $0.name }

    /// The same for each command.
    private static let everyCommand: [Usage] = names.flatMap { name -> [Usage] in
        let unknown = "tidings \(name): unknown option '--frobnicate'\n"
        return [
            .right("\(name) --help", "Usage: tidings \(name) "),
            .right("\(name) -h", "Options:"),
            .right("help \(name)", "Usage: tidings \(name) "),
            .right("\(name) --version", "tidings "),
            .right("\(name) -V", "tidings "),
            .wrong("\(name) --frobnicate", 2, unknown, "Try 'tidings \(name) --help'."),
            .wrong("\(name) --help=yes", 2, "option '--help' takes no value"),
        ]
    }

    /// The commands that read a configuration, with operands that are right.
    static let configured = [
        "demo", "up", "backup b.tar", "restore b.tar", "inspect --widget a feed.xml", "subscribe", "list", "get",
        "get blog", "get blog -d phone", "render blog -d phone -o a.png", "explain blog", "send blog refresh",
        "push notes -", "health", "panel list", "deliver test hook", "budget",
        "token list", "token new --name a", "token revoke a", "store copy other", "check",
        "init",
        "completion bash", "origin --play --port 0",
    ]

    /// A configuration that is missing or cannot be read, for each command that takes one.
    private static let everyConfiguration: [Usage] = configured.flatMap { line -> [Usage] in
        let name = line.split(separator: " ").first.map(String.init) ?? ""
        let options = Program.subcommands.first { $0.name == name }?.table.options ?? []
        guard options.contains(where: { $0.name == "config" }) else { return [] }
        return [
            ("missing.yml", "No such file or directory"), ("/proc/self/mem", "Input/output error"),
            (".", "Is a directory"),
        ]
        .map { file, problem in
            Usage(
                Usage.words("\(line) --config \(file)"),
                with: ["TIDINGS_BUS": ""],
                2,
                output: .empty,
                errors: .contains(["\(file): cannot be read: \(problem)"])
            )
        }
    }

    private static let program: [Usage] = [
        .right("", "Usage: tidings COMMAND", "Exit status:"),
        .right("--help", "Commands:"),
        .right("-h", "Commands:"),
        .right("help", "Commands:"),
        .right("version", "tidings "),
        .right("--version", "tidings "),
        .right("-V", "tidings "),
        .wrong("frobnicate", 2, "tidings: unknown sub-command 'frobnicate'; there are demo, init"),
        .wrong("gett blog", 2, "did you mean 'get'?"),
        .wrong("subscirbe", 2, "did you mean 'subscribe'?"),
        .wrong("Get", 2, "did you mean 'get'?"),
        .wrong("--bus", 2, "unknown option '--bus'; write options after the sub-command"),
        .wrong("-x", 2, "unknown option '-x'"),
        .wrong("help gett", 2, "did you mean 'get'?"),
        .right("completion bash", "complete -F _tidings tidings"),
        .right("completion zsh", "#compdef tidings"),
        .right("completion fish", "complete -c tidings"),
        .wrong("completion", 2, "SHELL is missing"),
        .wrong("completion basch", 2, "there is no completion script for 'basch'; did you mean 'bash'?"),
        .wrong("completion powershell", 2, "there are bash, zsh, fish"),
        .wrong("completion bash zsh", 2, "unexpected argument 'zsh'"),
    ]

    private static let check: [Usage] = [
        .right("check good.yml", "good.yml is valid: 2 widgets, 1 source, 3 displays.\n"),
        .right("check --boards good.yml", "The configuration has no boards.\n"),
        .right("check --list good.yml", "  widget notes: feed from pushes on phone-classic"),
        .right("check -l good.yml", "  widget blog: feed from https://example.org/feed.xml on phone-classic"),
        .wrong("check missing.yml", 2, "missing.yml: cannot be read: No such file or directory"),
        .wrong("check .", 2, ".: cannot be read: Is a directory"),
        .wrong("check /proc/self/mem", 2, "/proc/self/mem: cannot be read: Input/output error"),
        .wrong("check", 2, "there is no tidings.yml here; name the file to check"),
        .wrong("check good.yml broken.yml", 2, "unexpected argument 'broken.yml'"),
        .wrong("check broken.yml", 2, "broken.yml:3:11: ", "did you mean 'feed'?", "broken.yml:4:1: "),
        .wrong("check tab.yml", 2, "tab.yml:2:1: YAML does not allow a tab for indentation; use spaces"),
        .wrong("check anchor.yml", 2, "anchor.yml:2:9: anchors (&name) are not supported; write the value again"),
        .wrong("check binary.yml", 2, "binary.yml:"),
        .wrong(
            "check exposed.yml",
            with: ["TIDINGS_BUS": ""],
            2,
            "tcp://*:5555, which other machines can reach",
            "bus.allowWithoutKeys: true"
        ),
        .right("check allowed.yml", with: ["TIDINGS_BUS": ""], "is valid"),
        .wrong(
            "check loopback.yml",
            2,
            "loopback.yml:2:27: ",
            "is on a loopback network",
            "allowPrivateNetworks: true"
        ),
        .wrong("check private.yml", 2, "private.yml:2:27: ", "is on a private network"),
        .right("check home.yml", "is valid"),
        .warned(
            "check odd.yml",
            "is valid",
            "odd.yml:6:36: there is no symbol for the icon 'doc.viewfindr'; did you mean 'doc.viewfinder'?",
            "odd.yml:2:33: widgets have no translation for the language of 'cy_GB'"
        ),
        .wrong("check secret.yml", 2, "secret.yml:", "variable NEWS_TOKEN, which a header needs, is missing"),
        .right("check secret.yml", with: ["NEWS_TOKEN": "t"], "is valid"),
        .wrong("check good.yml", with: ["TIDINGS_LOG_LEVEL": "loud"], 2, "TIDINGS_LOG_LEVEL: must be trace, debug"),
        .warned(
            "check good.yml",
            with: ["TIDINGS_STOER": "x"],
            "is valid",
            "TIDINGS_STOER is unknown; did you mean TIDINGS_STORE?"
        ),
        .right("check", with: ["TIDINGS_CONFIG": "good.yml"], "good.yml is"),
    ]

    private static let setup: [Usage] = [
        .right("init", "wrote tidings.yml with 3 widgets"),
        .right("init -o other.yml", "wrote other.yml with 3 widgets"),
        .right("init --output=-", "https://www.swift.org/atom.xml", "# "),
        .right("init -o /dev/stdout", "https://www.swift.org/atom.xml"),
        .wrong("init -o good.yml", 2, "good.yml already exists and was not changed", "--force"),
        .right("init -fo good.yml", "wrote good.yml with 3 widgets"),
        .wrong("init -o .", 2, ".: it is a folder; name a file in it"),
        .wrong("init -o none/x.yml", 1, "none/x.yml: it cannot be written: No such file or directory"),
        .wrong("init -o /dev/full", 1, "/dev/full: it cannot be written: No space left on device"),
        .wrong("init -o", 2, "option '-o' needs a value: FILE"),
        .wrong("init tidings.yml", 2, "unexpected argument 'tidings.yml'"),
        .wrong("init --opml missing.opml", 2, "missing.opml: there is no such file"),
        .wrong("init --opml .", 2, ".: it is a folder; name a file in it"),
        .wrong("init --opml /proc/self/mem", 2, "/proc/self/mem: it cannot be read: Input/output error"),
        .wrong("init --opml feed.xml", 1, "feed.xml:"),
        .right("init --opml list.opml", "wrote tidings.yml with 1 widget\n"),
        .wrong("up", 2, "there is no tidings.yml here; 'tidings init' writes one"),
        .wrong("up --config missing.yml", 2, "missing.yml: cannot be read: No such file or directory"),
        .wrong("up --config broken.yml", 2, "broken.yml:3:11: "),
        .wrong("up --config exposed.yml", with: ["TIDINGS_BUS": ""], 2, "bus.allowWithoutKeys: true"),
        .wrong("up cahce", 2, "'cahce' is not a service; did you mean 'cache'?"),
        .wrong("up cache bus -- --files x", 2, "options after '--' are allowed only with exactly one service"),
        .wrong("up -- --files x", 2, "options after '--' are allowed only with exactly one service"),
        .wrong("up --confg good.yml", 2, "did you mean '--config'?"),
        .wrong("demo --seconds 0", 2, "option '--seconds' needs a whole number from 1 to 86400, not '0'"),
        .wrong("demo --port x", 2, "option '--port' needs a whole number"),
        .wrong("demo --bus nowhere", 2, "bus address 'nowhere': the address must begin with tcp:// or ipc://"),
        .wrong(
            "demo",
            with: ["TIDINGS_LISTEN": "0.0.0.0:80"],
            2,
            "TIDINGS_LISTEN: '0.0.0.0:80' is not an address; use 127.0.0.1"
        ),
        .wrong("origin --port 70000", 2, "from 0 to 65535"),
        .wrong("origin --host localhost", 2, "'localhost' is not a numerical address"),
        .wrong("backup", 2, "FILE is missing"),
        .wrong("backup --config good.yml b.tar", 1, "there is no store in ", "; the services create the stores"),
        .wrong("backup --config missing.yml b.tar", 2, "missing.yml: cannot be read"),
        .wrong("restore", 2, "FILE is missing"),
        .wrong("restore --config good.yml missing.tar", 2, "missing.tar: there is no such file"),
        .wrong("restore --config good.yml -", 2, "a backup cannot be read from standard input: name a file"),
        .wrong("restore --config good.yml .", 2, ".: it is a folder; name a file in it"),
        .wrong("restore --config good.yml feed.xml", 1, "nothing was changed: the file is not a backup, because it is"),
        .wrong("restore --config good.yml foreign.tar", 1, "the archive contains 'readme.txt', which "),
        .wrong("restore --config good.yml /proc/self/mem", 2, "/proc/self/mem: it cannot be read: Input/output error"),
    ]

    /// The stores and tokens of a configuration.
    private static let kept: [Usage] = [
        .wrong("store", 2, "ACTION is missing"),
        .wrong("store copy", 2, "TO is missing"),
        .wrong("store move other", 2, "'move' is not an action: use copy"),
        .wrong("store copy other --config good.yml", 1, "there is no store in "),
        .wrong("panel", 2, "ACTION is missing"),
        .wrong("panel lst", 2, "'lst' is not an action"),
        .wrong("panel forget", 2, "forget needs the id or the name of a panel"),
        .wrong("panel list hall", 2, "list shows all panels; give no panel"),
        .wrong("panel pair --minutes 0", 2, "--minutes must be a whole number from 1 to 60, not '0'"),
        .wrong("panel sleep hall --until soon", 2, "'soon' is not a day or a time such as 2026-12-24"),
        .wrong("deliver", 2, "ACTION is missing"),
        .wrong("deliver test", 2, "DESTINATION is missing"),
        .wrong("deliver tset hook", 2, "'tset' is not an action"),
        .right("token list --config good.yml"),
        .wrong("token", 2, "ACTION is missing"),
        .wrong("token lst --config good.yml", 2, "'lst' is not an action: use new, list or revoke"),
        .wrong("token new --config good.yml", 2, "--name needs 1 to 60 characters"),
        .wrong(
            "token new --name a --scope write --config good.yml",
            2,
            "'write' is not a scope; there are read, act, push, admin"
        ),
        .wrong("token new --name a --path blog --config good.yml", 2, "the path 'blog' does not begin with '/'"),
        .wrong("token new --name a --path / --scope act --config good.yml", 2, "may only have the scope 'read'"),
        .wrong("token revoke --config good.yml", 2, "revoke needs the id of a token"),
        .wrong("token revoke a --config good.yml", 1, "there is no token 'a'; 'tidings token list' shows all tokens"),
        .warned(
            "token new --name panel --config good.yml",
            "\n",
            "for 'panel', in ",
            "gateway-tokens.json. It is shown only once:"
        ),
    ]

    private static let inspect: [Usage] = [
        .right("inspect feed.xml", "\"title\":\"Notes\""),
        .right("inspect --kind quote quotes.json", "\"kind\":\"quote\""),
        .right("inspect weatherwidget://?daysFromNow=2", "{\"daysFromNow\":2}"),
        .wrong("inspect", 2, "DOCUMENT is missing"),
        .wrong("inspect missing.xml", 2, "missing.xml: there is no such file"),
        .wrong("inspect .", 2, ".: it is a folder; name a file in it"),
        .wrong("inspect /proc/self/mem", 2, "/proc/self/mem: it cannot be read: Input/output error"),
        .wrong("inspect good.yml", 1, "good.yml:"),
        .wrong("inspect --kind fed feed.xml", 2, "'fed' is not a kind; did you mean 'feed'?"),
        .wrong("inspect --kind json --option tilte=/a quotes.json", 2, "has no option 'tilte'; did you mean 'title'?"),
        .wrong("inspect --kind json --option title quotes.json", 2, "'title' does not have the form NAME=VALUE"),
        .wrong("inspect --widget blgo --config good.yml feed.xml", 1, "no widget 'blgo'", "did you mean 'blog'?"),
        .wrong("inspect --explain feed.xml", 2, "--explain needs an http or https address"),
        .wrong("inspect http://127.0.0.1:1/", 3, "http://127.0.0.1:1/"),
        .right("inspect weatherwidget://forecast/berlin?units=c&daysFromNow=4", "{\"daysFromNow\":4}\n"),
        .wrong(
            "inspect weatherwidget://?daysFromNow=x",
            1,
            "'x' is not a number",
            "write weatherwidget://?daysFromNow=N"
        ),
        .wrong("inspect -k quote -o title=/n -", input: "{}", 2, "kind quote has no option 'title'; it has none"),
        .wrong("inspect -k json -o title=n -", input: "{}", 2, "option title: 'n' is not a JSON Pointer"),
        .wrong("inspect -k forecast -o timeZone=Mars -", input: "{}", 2, "timeZone: 'Mars' is not a time zone"),
        .wrong("inspect -", input: "<html/>", 1, "standard input"),
    ]

    private static let content: [Usage] = [
        .wrong("push", 2, "WIDGET is missing"),
        .wrong("push notes", 2, "FILE is missing"),
        .wrong("push notes missing.json", 2, "missing.json: there is no such file"),
        .wrong("push notes .", 2, ".: it is a folder; name a file in it"),
        .wrong("push notes /proc/self/mem", 2, "/proc/self/mem: it cannot be read: Input/output error"),
        .wrong("push notes -", input: "[{\"title\":1}]", 1, "input:1:11: items[0].title: the value is a number"),
        .wrong("push notes -", input: "{", 1, "standard input:"),
        .wrong("push Notes! -", 2, "'Notes!' is not a valid widget id: a widget id has"),
        .wrong("push notes - --kind fed", 2, "'fed' is not a kind; did you mean 'feed'?"),
        .wrong("push notes - --counter -1", 2, "option '--counter' needs a whole number, not '-1'"),
        .wrong("push notes - --client=", 2, "option '--client' needs a value of 1 to 128 bytes"),
        .wrong("push notes - --kind quote", input: "{", 1, "standard input"),
        .wrong("send", 2, "WIDGET is missing"),
        .wrong("send blog", 2, "COMMAND is missing"),
        .wrong("send blog dance", 2, "unknown command 'dance'; there are setExpanded"),
        .wrong("send blog refersh", 2, "unknown command 'refersh'; did you mean 'refresh'?"),
        .wrong("send blog setExpanded", 2, "setExpanded needs true or false"),
        .wrong("send blog setExpanded yes", 2, "setExpanded needs true or false, not 'yes'"),
        .wrong("send blog refresh now", 2, "refresh takes no argument, but got 'now'"),
        .wrong("send blog refresh --counter x", 2, "option '--counter' needs a whole number, not 'x'"),
        .wrong("send Blog! refresh", 2, "'Blog!' is not a valid widget id"),
        .wrong("send blog refresh --client=", 2, "--client"),
    ]

    private static let widgets: [Usage] = [
        .wrong("get Blog!", 2, "'Blog!' is not a valid widget id"),
        .wrong("get blog news", 2, "unexpected argument 'news'"),
        .wrong("get --jsn blog", 2, "unknown option '--jsn'; did you mean '--json'?"),
        .wrong("get --display phone", 2, "option '--display' needs a widget"),
        .wrong("get blog --json --json", 2, "option '--json' is given twice"),
        .wrong("list widgts", 2, "'widgts' cannot be listed; did you mean 'widgets'?"),
        .wrong("list topics --json", 2, "option '--json' is for widgets, not for topics"),
        .wrong("explain", 2, "WIDGET is missing"),
        .wrong("explain blog last", 2, "'last' is not a valid sequence number; use a positive whole number"),
        .wrong("render blog", 2, "--output is missing: name a file, or '-'"),
        .wrong("render blog -o a.png", 2, "--display is missing"),
        .wrong("render -o a.png", 2, "WIDGET is missing; or name a board with --board"),
        .wrong("render --board kitchen", 2, "--output is missing: name a file, or '-'"),
        .wrong("render blog --board kitchen -o a.png", 2, "give a widget or --board, not both"),
        .wrong("render --board kitchen -d phone -o a.png", 2, "--display is for widgets, not for boards"),
        .wrong("list --boards topics", 2, "option '--boards' lists boards; give no other subject"),
        .wrong("list --boards --json", 2, "option '--json' is for widgets, not for boards"),
        .wrong("render blog -d phone -o a.gif", 2, "'a.gif' does not end in .png or .svg"),
        .wrong("render blog -d phone -o -", 2, "--format is missing: png or svg"),
        .wrong("render blog -d phone -o - -f pgn", 2, "'pgn' is not a format; use png or svg"),
        .wrong(
            "render blog -d phone -o a.svg --appearance grey",
            2,
            "'grey' is not an appearance; there are light, dark"
        ),
        .wrong("render blog -d phone -o a.svg --sequence 0", 2, "'0' is not a valid sequence number"),
        .wrong("render blog -d Phone! -o a.svg", 2, "'Phone!' is not a valid display name"),
        .wrong("render Blog! -d phone -o a.svg", 2, "'Blog!' is not a valid widget id: a widget id has 1 to 63"),
        .wrong("explain Blog!", 2, "'Blog!' is not a valid widget id: a widget id has 1 to 63"),
    ]

    private static let following: [Usage] = [
        .wrong("subscribe eng-blog", 2, "no topic begins with 'eng-blog'", "'update/newData/eng-blog/'"),
        .wrong("subscribe update/newdata/", 2, "did you mean 'update/newData/'?"),
        .wrong("subscribe update/newdata/blog/", 2, "did you mean 'update/newData/blog/'?"),
        .wrong("subscribe updates/newData/", 2, "did you mean 'update/newData/'?"),
        .wrong("subscribe Update", 2, "did you mean 'update/'?"),
        .wrong("subscribe health/cahce/", 2, "did you mean 'health/cache/'?"),
        .wrong("subscribe update/gone/", 2, "no topic begins with 'update/gone/'"),
        .wrong("subscribe /", 2, "there are update/, layout/"),
        .wrong("subscribe --count 0", 2, "option '--count' needs a whole number from 1"),
        .wrong("subscribe --since x", 2, "option '--since' needs a sequence number or EPOCH:OFFSET, not 'x'"),
        .wrong("subscribe --since 1 layout/", 2, "'--since' works only with topic prefixes that begin with update/"),
        .wrong("health cahce", 2, "'cahce' is not a service; did you mean 'cache'?"),
        .wrong("health cache bus", 2, "unexpected argument 'bus'"),
    ]

    private static let noBus =
        "tidings: no bus answers at tcp://127.0.0.1:1 within 2 s; start one with 'tidings up', or name another with "
        + "--bus or TIDINGS_BUS\n"

    /// No bus, or none that can be.
    private static let bus: [Usage] =
        [
            "subscribe", "subscribe --since 1", "list", "get", "get blog", "get blog -d phone", "explain blog",
            "explain blog 17", "send blog refresh", "render blog -d phone -o blog.png", "health",
            "panel list", "panel pair", "panel forget hall", "deliver test hook", "budget",
        ]
        .map { Usage(Usage.words($0), 3, output: .empty, errors: .exactly(noBus)) } + [
            Usage(["push", "blog", "-"], input: "[]", 3, output: .empty, errors: .exactly(noBus)),
            .wrong("list --bus nowhere", 2, "bus address 'nowhere': the address must begin with tcp:// or ipc://"),
            .wrong("list --bus tcp://x", 2, "bus address 'tcp://x': the address has no port"),
            .wrong("list --bus tcp://x:y", 2, "the port 'y' is not a number from 0 to 65535"),
            .wrong("list --bus tcp://a;b:5555", 2, "the host 'a;b' contains a character that is not allowed"),
            .wrong("list --bus tcp://127.0.0.1:0", 2, "lets the bus choose its ports"),
            .wrong("list --bus tcp://no-such-host.invalid:5555", 3, "the host 'no-such-host.invalid' of the bus's"),
            .wrong("list --bus ipc:///nowhere/tidings", 3, "no bus answers at ipc:///nowhere/tidings within 2 s"),
            .wrong(
                "list --config broken.yml",
                with: ["TIDINGS_BUS": ""],
                3,
                "broken.yml has errors ('tidings check' shows them); using the bus at tcp://127.0.0.1:1,",
                "no bus answers at"
            ),
        ]
}
