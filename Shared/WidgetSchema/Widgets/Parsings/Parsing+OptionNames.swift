// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

extension WidgetKind {
    /// The names of the options for parsing content of this kind.
    ///
    /// The name `value.` stands for all names with this prefix, such as `value.000`. Options with other names are
    /// ignored.
    public var parsingOptions: [String] {
        switch self {
        case .feed: FeedParsing.optionNames
        case .quote, .documents: []
        case .keyValue: [KeyValueParsing.optionPrefix]
        case .forecast: ForecastParsing.optionNames
        case .json: RowsParsing.optionNames
        }
    }
}

extension Parsing {
    /// The first error that is found in the parsing's `options`; nil if all options are valid.
    public var problem: ParsingOptionError? {
        do throws(ParsingOptionError) {
            switch kind {
            case .quote, .documents: break
            case .feed: _ = try FeedParsing(options: options)
            case .keyValue: _ = try KeyValueParsing(options: options)
            case .forecast: _ = try ForecastParsing(options: options)
            case .json: _ = try RowsParsing(options: options)
            }
            return nil
        } catch {
            return error
        }
    }
}
