// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import ServiceRuntime
import WidgetSchema

@main
struct Main {
    static func main() {
        if CommandLine.arguments.dropFirst().elementsEqual([ReaderProgram.option]) { return ReaderProgram.run() }
        let program = ServiceProgram(
            .fetcher,
            summary: "Fetches the sources that the cache leases to it, and publishes the outcomes.",
            options: [FetcherService.filesOption, FetcherService.addressOption]
        )
        ServiceMain.run(program) {
            try FetcherService($0)
        }
    }
}
