// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// Command lines that write to standard output.
enum PrintingCommands {
    /// These need no services, but the files of `UsageFiles`.
    static let alone = [
        "tidings", "tidings --version", "tidings help get", "tidings version", "tidings completion bash",
        "tidings completion zsh", "tidings completion fish", "tidings init --output -", "tidings init --output new.yml",
        "tidings init --opml list.opml", "tidings check good.yml", "tidings check --list good.yml",
        "tidings inspect feed.xml", "tidings inspect --kind quote quotes.json",
        "tidings inspect weatherwidget://?daysFromNow=2", "tidings check --fetch served.yml",
        "tidings token new --name a --config good.yml",
    ]

    /// These run until they are stopped.
    static let lasting = [
        "tidings origin --port 0", "tidings up --config alone.yml", "tidings demo --seconds 60 --bus tcp://127.0.0.1:0",
    ]

    /// A part of a script that waits until the reader of its standard output is gone.
    static let waitUntilNobodyReads = "trap '' PIPE; while printf x 2> /dev/null; do :; done"

    /// Returns whether a command fails if nobody reads its output, because the output is all that it makes.
    static func needsReader(_ command: String) -> Bool { command.hasSuffix(" -") || command.contains("token new") }

    /// These have tests of their own.
    static let elsewhere = ["tidings restore"]

    /// Returns the commands that ask running services with the widgets `blog` and `by-hand`, without `tidings`.
    static func served(configuration file: String) -> [String] {
        [
            "list", "list --quiet", "list --json", "list displays", "list topics", "get", "get blog", "get blog --json",
            "get blog --display phone-classic", "explain blog", "explain blog --json", "health", "health --json",
            "health cache", "panel list", "panel list --json", "budget", "budget --json", "deliver test sink",
            "send blog setExpanded true", "send blog setExpanded false --no-wait",
            "send blog refresh --json", "subscribe --since 1 --count 1", "subscribe --since 1 --count 1 --json",
            "subscribe --count 1 heads/", "subscribe --json --count 1 heads/",
            "push blog - <<< '[{\"title\":\"Pushed\"}]'", "push blog - --json <<< '[{\"title\":\"Pushed again\"}]'",
            "token list --config \(file)", "render blog -d phone-classic -f png -o -",
            "render blog -d phone-classic -f svg -o -", "backup --config \(file) -",
            "backup --config \(file) \"$(mktemp)\"", "store copy \"$(mktemp -d)/s\" --config \(file)",
        ]
    }
}
