// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Telemetry
import Testing
import WidgetSchema

@testable import Configuration

@Suite struct ConfigurationTests {
    private let complete = """
        store: ./data
        bus:
          address: ipc://run/bus
          allowWithoutKeys: true
        fetching:
          interval: 20m
          minimumInterval: 10s
          allowPrivateNetworks: true
          hostConcurrency: 2
          hostSpacing: 500ms
        history: {cycles: 10, age: 2d, contentKilobytes: 64}
        displays:
          phone-classic: {family: todayClassic, width: 320, contentSizeCategory: small, scale: 3, locale: de_DE,
                          timeZone: Europe/Berlin, insets: {leading: 10, top: 1.5}}
          phone: {family: today, width: 359, compactHeight: 110, maximumHeight: 616}
        widgets:
          news:
            kind: feed
            source: https://example.org/feed.xml
          blog:
            kind: feed
            source:
              url: http://127.0.0.1:8080/feed.xml?x=1
              headers: {Authorization: Bearer abc, X-Number: 12}
              allowPrivateNetworks: false
            interval: 30m
            minimumInterval: 0s
            rows: {collapsed: 2, expanded: 8}
            timeZone: America/New_York
            displays: [phone-expanded, phone-classic]
        """

    @Test func aCompleteFileIsReadCompletely() throws {
        let configuration = try TidingsConfiguration.parse(complete, file: "/etc/tidings/tidings.yml")
        #expect(configuration.store == "/etc/tidings/data")
        #expect(configuration.bus == .init(address: "ipc:///etc/tidings/run/bus", allowWithoutKeys: true))
        #expect(
            configuration.fetching
                == .init(
                    interval: .seconds(1_200),
                    minimumInterval: .seconds(10),
                    allowPrivateNetworks: true,
                    hostConcurrency: 2,
                    hostSpacing: .milliseconds(500)
                )
        )
        #expect(configuration.history == .init(cycles: 10, age: .seconds(2 * 86_400), contentKibibytes: 64))
        #expect(configuration.displays.map(\.name.rawValue) == ["phone-classic", "phone-compact", "phone-expanded"])
        let classic = try #require(configuration.displays.first)
        #expect(classic.family == .todayClassic)
        #expect(classic.mode == nil)
        #expect(classic.compactHeight == nil)
        #expect(classic.width == 320)
        #expect(classic.contentSizeCategory == .small)
        #expect(classic.scale == 3)
        #expect(classic.insets == EdgeInsets(top: 1.5, leading: 10))
        #expect(classic.locale == "de_DE")
        #expect(classic.timeZone == "Europe/Berlin")
        let expanded = try #require(configuration.displays.last)
        #expect(expanded.mode == .expanded)
        #expect(expanded.compactHeight == 110)
        #expect(expanded.maximumHeight == 616)
        #expect(expanded.locale == "en_US")

        #expect(configuration.widgets.map(\.id.rawValue) == ["blog", "news"])
        let blog = try #require(configuration.widgets.first)
        let rows = RowLimits(collapsed: 2, expanded: 8)
        #expect(blog.definition == WidgetDefinition(kind: .feed, rows: rows, timeZone: "America/New_York"))
        let url = "http://127.0.0.1:8080/feed.xml?x=1"
        let headers = ["Authorization": "Bearer abc", "X-Number": "12"]
        #expect(blog.source == .init(url: url, headers: headers, allowPrivateNetworks: false))
        #expect(blog.interval == .seconds(1_800))
        #expect(blog.minimumInterval == .zero)
        // In the order of the widget's own list.
        #expect(blog.displays.map(\.rawValue) == ["phone-expanded", "phone-classic"])
        let id = try #require(WidgetID(rawValue: "news"))
        let news = try #require(configuration.widget(id))
        #expect(news.source == .init(url: "https://example.org/feed.xml", allowPrivateNetworks: true))
        #expect(news.interval == .seconds(1_200))
        #expect(news.definition == WidgetDefinition(kind: .feed))
        #expect(news.displays == configuration.displays.map(\.name))
    }

    @Test(arguments: ["", "# nothing yet\n", "widgets:\nbus:\nfetching: {}\ndisplays: ~\n"])
    func whatAFileLeavesOutHasItsDefault(text: String) throws {
        let configuration = try TidingsConfiguration.parse(text, file: "tidings.yml")
        #expect(configuration == TidingsConfiguration(file: "tidings.yml", instance: configuration.instance))
        #expect(configuration.store == "tidings-data")
        #expect(configuration.bus.address == "tcp://127.0.0.1:5555")
        #expect(configuration.displays.map(\.name.rawValue) == ["phone-classic", "phone-compact", "phone-expanded"])
    }

    @Test func whatAWidgetMayChooseIsRead() throws {
        let text = """
            displays:
              wide: {family: todayClassic, device: iphone-375, orientation: landscape}
              left: {family: today, device: ipad-768, orientation: landscape, column: left, locale: de_AT}
            widgets:
              facts: {kind: keyValue, source: 'https://example.org/', show: all, hideWhenEmpty: true, dateStyle: short, private: true, symbol: house}
              weather: {kind: forecast, source: 'https://example.org/', link: 'myweather://berlin'}
            """
        let configuration = try TidingsConfiguration.parse(text)
        #expect(configuration.displays.first?.width == 633)
        #expect(configuration.displays.first?.appearance == .dark)
        #expect(configuration.displays.last?.maximumHeight == 616)
        #expect(
            configuration.widgets.map(\.definition) == [
                WidgetDefinition(
                    kind: .keyValue,
                    symbol: "house",
                    hideWhenEmpty: true,
                    dateStyle: .short,
                    show: .all,
                    private: true
                ),
                WidgetDefinition(kind: .forecast, link: "myweather://berlin"),
            ]
        )
        #expect(configuration.warnings.isEmpty)
    }

    @Test func aWidgetOnCompactDisplaysAloneHasNoLargerMode() throws {
        let text = """
            displays: {phone: {family: today}, tablet: {family: today}}
            widgets:
              small: {kind: feed, source: push, displays: [phone-compact, tablet]}
              all: {kind: feed, source: push}
            """
        let configuration = try TidingsConfiguration.parse(text)
        let largest = configuration.widgets.map { configuration.displays(of: $0).map(\.largestMode) }
        #expect(largest == [[nil, nil, nil, nil], [.compact, nil, nil]])
    }

    @Test func theSchemesOfAWidgetsOwnLinksAreAllowed() throws {
        let text = """
            gateway: {linkSchemes: [shortcuts]}
            widgets:
              facts: {kind: keyValue, source: push, link: 'MyFacts://open'}
              files: {kind: documents, source: push, actions: [{title: New, icon: doc, url: 'editor://new'}]}
              weather: {kind: forecast, source: push}
              news: {kind: feed, source: push, link: 'https://example.org/'}
            """
        let schemes = try TidingsConfiguration.parse(text).linkSchemes
        #expect(schemes == ["shortcuts", "myfacts", "editor", "weatherwidget"])
    }

    @Test func aLocaleWithoutWordsAndAnUnknownIconAreWarnings() throws {
        let text = """
            displays: {a: {family: today, locale: cy_GB}}
            widgets:
              files:
                kind: documents
                source: push
                actions:
                  - {title: Scan, icon: doc.viewfindr, url: 'app://scan'}
                  - {title: New, icon: folder.badge.plus, url: 'app://new'}
            """
        let warnings = try TidingsConfiguration.parse(text, file: "tidings.yml").warnings
        try #require(warnings.count == 2)
        #expect(warnings[0].hasPrefix("tidings.yml:1:39: widgets have no translation for the language of 'cy_GB'"))
        #expect(warnings[1].contains("no symbol for the icon 'doc.viewfindr'; did you mean 'doc.viewfinder'?"))
    }

    @Test func aFamilysNameStandsForItsModes() throws {
        let text = "widgets: {blog: {kind: feed, source: 'https://example.org/', displays: [phone]}}"
        let configuration = try TidingsConfiguration.parse(text)
        #expect(configuration.widgets.first?.displays.map(\.rawValue) == ["phone-compact", "phone-expanded"])
    }

    @Test(arguments: ["Europe/Berlin", "UTC", "Etc/GMT-5", "GMT+0537", "GMT-1130"])
    func aTimeZoneIsOneOfTheSystemOrAFixedOffset(zone: String) throws {
        let text = "displays: {a: {family: today, timeZone: \(zone)}}"
        #expect(try TidingsConfiguration.parse(text).displays.first?.timeZone == zone)
    }

    @Test(arguments: ["zh_Hant_TW", "zh_TW", "zh-CN", "sr_RS", "ar_EG", "th"])
    func aLocaleMayBeWrittenWithoutItsScript(locale: String) throws {
        let text = "displays: {a: {family: today, locale: \(locale)}}"
        #expect(try TidingsConfiguration.parse(text).displays.first?.locale == locale)
    }

    @Test func compactHeightFollowsTheTextSize() throws {
        let text = "displays: {a: {family: today, contentSizeCategory: extraExtraExtraLarge}}"
        #expect(try TidingsConfiguration.parse(text).displays.first?.compactHeight == 140)
    }

    @Test func aDeviceGivesADisplayItsSizes() throws {
        let text = """
            displays:
              small: {device: iphone-320, family: today, contentSizeCategory: extraSmall, appearance: dark}
              home: {device: ipad-1024, family: systemExtraLarge, hourCycle: twentyFourHour}
              desk: {family: panel, width: 800, height: 480, scale: 1}
              odd: {device: iphone-390, family: today, width: 300, maximumHeight: 400}
            """
        let displays = try TidingsConfiguration.parse(text).displays
        let names = ["small-compact", "small-expanded", "home", "desk", "odd-compact", "odd-expanded"]
        #expect(displays.map(\.name.rawValue) == names)
        #expect(displays[0].width == 304 && displays[0].compactHeight == 95 && displays[0].appearance == .dark)
        #expect(displays[1].maximumHeight == 528 && displays[1].scale == 2)
        #expect(displays[2].width == 795 && displays[2].maximumHeight == 378.5 && displays[2].insets.top == 16)
        #expect(displays[2].hourCycle == .twentyFourHour && displays[2].mode == nil)
        #expect(displays[3].width == 800 && displays[3].maximumHeight == 480 && displays[3].scale == 1)
        #expect(displays[4].width == 300 && displays[4].maximumHeight == 400 && displays[4].scale == 3)
    }

    @Test func theEnvironmentWinsOverTheFile() throws {
        try withFile(complete) { path in
            let configuration = try TidingsConfiguration.load(
                path: nil,
                environment: [
                    "TIDINGS_CONFIG": path, "TIDINGS_BUS": "tcp://bus:6000", "TIDINGS_STORE": "elsewhere",
                    "TIDINGS_INSTANCE": "a.b_c-1", "TIDINGS_LOG_LEVEL": "debug", "TIDINGS_LOG_FORMAT": "json",
                ]
            )
            #expect(configuration.file == path)
            #expect(configuration.bus == .init(address: "tcp://bus:6000", allowWithoutKeys: true))
            #expect(configuration.store == "elsewhere")
            #expect(configuration.instance.rawValue == "a.b_c-1")
            #expect(configuration.log == .init(level: .debug, format: .json))
            #expect(configuration.widgets.count == 2)
            #expect(configuration.warnings.isEmpty)
        }
    }

    @Test func anAddressMayBeThreeEndpointsAndRelativeFoldersBeginAtTheFile() throws {
        let text = "bus: {address: 'ipc://a/x,ipc:///b/y,tcp://127.0.0.1:7'}"
        let configuration = try TidingsConfiguration.parse(text, file: "/etc/tidings.yml")
        #expect(configuration.bus.address == "ipc:///etc/a/x,ipc:///b/y,tcp://127.0.0.1:7")
    }

    @Test func anEmptyVariableIsAsGoodAsNone() throws {
        try withFile("bus: {address: 'tcp://127.0.0.1:0'}") { path in
            let environment = Dictionary(uniqueKeysWithValues: EnvironmentVariable.allCases.map { ($0.name, "") })
            let configuration = try TidingsConfiguration.load(path: path, environment: environment)
            #expect(configuration.bus.address == "tcp://127.0.0.1:0")
            #expect(configuration.log == .init())
        }
    }

    private func errors(loading path: String, _ environment: [String: String] = [:]) throws -> String {
        let errors = #expect(throws: ConfigurationErrors.self) {
            try TidingsConfiguration.load(path: path, environment: environment)
        }
        return try #require(errors).description
    }

    @Test func errorsOfTheEnvironmentNameTheVariableAndComeAfterTheFiles() throws {
        try withFile("stor: x\n") { path in
            let environment = [
                "TIDINGS_BUS": "localhost:5555", "TIDINGS_INSTANCE": "a/b", "TIDINGS_LOG_LEVEL": "warn",
                "TIDINGS_LOG_FORMAT": "xml", "TIDINGS_STOP_WITH_INPUT": "yes",
            ]
            let errors = try errors(loading: path, environment)
            #expect(
                errors == """
                    \(path):1:1: unknown key 'stor' in the configuration; did you mean 'store'?
                    TIDINGS_BUS: bus address 'localhost:5555': the address must begin with tcp:// or ipc://; \
                    write tcp://HOST:PORT, ipc://FOLDER or three endpoints with commas between
                    TIDINGS_INSTANCE: 'a/b' is not valid: \(InstanceName.rule)
                    TIDINGS_LOG_FORMAT: must be text or json, not 'xml'
                    TIDINGS_LOG_LEVEL: must be trace, debug, info, notice, warning or error, not 'warn'
                    TIDINGS_STOP_WITH_INPUT: must be 0 or 1, not 'yes'
                    """
            )
        }
    }

    @Test func unknownVariablesAreWarnedOf() throws {
        try withFile("") { path in
            let environment = ["TIDINGS_BUSS": "x", "TIDINGS_COLOUR_OF_THE_SKY": "blue", "PATH": "/bin"]
            let configuration = try TidingsConfiguration.load(path: path, environment: environment)
            #expect(
                configuration.warnings == [
                    "the environment variable TIDINGS_BUSS is unknown; did you mean TIDINGS_BUS?",
                    "the environment variable TIDINGS_COLOUR_OF_THE_SKY is unknown",
                ]
            )
        }
    }

    @Test func aFileThatIsNamedMustBeThere() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "no-such-file-\(UUID().uuidString).yml").path
        #expect(try errors(loading: path) == "\(path): cannot be read: No such file or directory")
    }

    @Test func aFileThatIsTooLargeIsNotRead() throws {
        try withFile("# " + String(repeating: "x", count: 32 << 20)) { path in
            let errors = try errors(loading: path)
            #expect(errors == "\(path):1:1: the file has more than 33554432 bytes")
        }
    }
}
