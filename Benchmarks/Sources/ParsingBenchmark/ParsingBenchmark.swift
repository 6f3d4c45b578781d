// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import SourceParsing
import WidgetSchema

/// Parses one document repeatedly and reports the time.
///
/// usage: ParsingBenchmark FILE SECONDS
///
/// Writes one JSON object. `whole` parses the complete feed, `content` only the content that a widget keeps. Times are for
/// one parse, in seconds. `items` are the parsed items, for comparison with other parsers.
@main
struct ParsingBenchmark {
    struct Times: Encodable {
        var runs: Int
        var best: Double
        var median: Double
    }

    struct Item: Encodable {
        var id: String?
        var title: String?
        var link: String?
        var author: String?
        var published: String?
        var summaryBytes: Int
        var contentBytes: Int
    }

    struct Report: Encodable {
        var bytes: Int
        var whole: Times
        var content: Times
        var items: [Item]
    }

    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let seconds = Double(arguments[2]), seconds > 0 else {
            FileHandle.standardError.write(Data("usage: ParsingBenchmark FILE SECONDS\n".utf8))
            exit(2)
        }
        let document = try Data(contentsOf: URL(fileURLWithPath: arguments[1]))
        let url = "https://benchmark.example/feed.xml"
        let feed = try SourceParser.parseFeed(SourceBody(document, contentType: nil, documentURL: url))
        let report = Report(
            bytes: document.count,
            whole: try measure(seconds) {
                try SourceParser.parseFeed(SourceBody(document, contentType: nil, documentURL: url)).items.count
            },
            content: try measure(seconds) {
                let content = try SourceParser.parse(
                    SourceBody(document, contentType: nil, documentURL: url),
                    parsing: Parsing(kind: .feed)
                )
                guard case .feed(let feed) = content else { return 0 }
                return feed.items.count
            },
            items: feed.items.map(Item.init)
        )
        FileHandle.standardOutput.write(try JSONEncoder().encode(report) + Data("\n".utf8))
    }

    /// Runs `body` for the given number of seconds.
    ///
    /// `body` returns a number, so that the compiler cannot remove its work.
    static func measure(_ seconds: Double, _ body: () throws -> Int) rethrows -> Times {
        var times: [Double] = []
        var sum = 0
        let clock = ContinuousClock()
        let end = clock.now + .seconds(seconds)
        repeat {
            let start = clock.now
            sum &+= try body()
            times.append((clock.now - start) / .seconds(1))
        } while clock.now < end
        times.sort()
        precondition(sum > 0, "nothing was parsed")
        return Times(runs: times.count, best: times[0], median: times[times.count / 2])
    }
}

extension ParsingBenchmark.Item {
    init(_ item: ParsedItem) {
        self.init(
            id: item.id,
            title: item.title?.plain(),
            link: item.link,
            author: item.author,
            published: item.published?.description,
            summaryBytes: item.summary?.text.utf8.count ?? 0,
            contentBytes: item.content?.text.utf8.count ?? 0
        )
    }
}
