// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The words of other tools for keys and kinds, for errors that name the word to use here.
///
/// Feed readers, dashboards and home automation use these words. Words that are only misspelled are found by
/// `EditDistance` instead.
struct ForeignWords {
    /// The advice for a key of another tool.
    enum Advice: Sendable {
        /// The key with the same meaning.
        case key(String)
        /// The end of an error message that says what to write instead.
        case text(String)
    }

    /// The advice by word; words are in lower case, without `-` and `_`.
    private let advice: [String: Advice]

    /// Creates a list from keys, each with the words of other tools for it, and from words with an advice of their own.
    private init(_ keys: [String: String], texts: [String: String] = [:]) {
        var advice: [String: Advice] = [:]
        for (key, words) in keys {
            for word in words.split(separator: " ") { advice[String(word)] = .key(key) }
        }
        for (words, text) in texts {
            for word in words.split(separator: " ") { advice[String(word)] = .text(text) }
        }
        self.advice = advice
    }

    subscript(word: String) -> Advice? { advice[word.lowercased().filter { $0 != "-" && $0 != "_" && $0 != " " }] }

    private static let authorization =
        "write it as a header under 'source': source: {url: …, headers: {Authorization: \"Bearer ${NAME}\"}}"

    static let none = ForeignWords([:])

    static let root = ForeignWords(
        [
            "widgets": "feeds services pages modules sensors cards sources",
            "gateway": "server http web",
            "store": "database db storage datadir",
            "displays": "screens",
            "panels": "devices epaper eink sleepers trmnl",
            "boards": "dashboards pages playlists mashups",
            "destinations": "notifications notify hooks webhooks outputs targets integrations delivery",
        ],
        texts: [
            "listen port host": "it belongs under 'gateway': gateway: {listen: 127.0.0.1:8080}",
            "interval refresh polling refreshinterval updateinterval minimuminterval":
                "it belongs under 'fetching': fetching: {interval: 15m}",
        ]
    )

    static let destination = ForeignWords(
        [
            "url": "address endpoint uri server target",
            "kind": "type provider service",
            "result": "results on events",
            "reason": "reasons",
            "command": "exec run program script",
            "secret": "secrets key signingsecret",
            "budget": "ratelimit limit quota",
        ]
    )

    static let gateway = ForeignWords([
        "listen": "port host bind address addr",
        "allowedOrigins": "cors origins corsorigins",
        "basePath": "base prefix root baseurl path urlprefix",
        "frameAncestors": "frames iframe iframes embed embedding xframeoptions",
        "requestsPerMinute": "ratelimit limit",
        "tokens": "auth token tokenfile",
    ])

    static let fetching = ForeignWords([
        "interval": "refresh every ttl cache polling refreshinterval updateinterval scaninterval",
        "minimumInterval": "mininterval minimum minrefresh throttle",
        "hostSpacing": "delay spacing",
        "hostConcurrency": "concurrency parallel",
        "fileDirectory": "files directory folder",
    ])

    static let widget = ForeignWords(
        [
            "kind": "type platform module widget",
            "source": "url urls uri href feed feeds feedurl rss xmlurl resource endpoint address src api",
            "interval":
                "refresh refreshinterval scaninterval updateinterval pollinterval every cache ttl schedule updateevery",
            "minimumInterval": "mininterval minrefresh throttle",
            "staleAfter": "stale expireafter expire maxage",
            "rows": "limit count max maxitems collapseafter itemcount",
            "name": "title label displayname friendlyname",
            "timeZone": "tz",
            "displays": "screens devices panels",
            "items": "fields mapping jsonattributes",
            "hideWhenEmpty": "hideempty hidden",
            "actions": "buttons shortcuts",
        ],
        texts: [
            "headers header requestheaders":
                "it belongs under 'source', beside 'url': source: {url: …, headers: {NAME: VALUE}}",
            "allowprivatenetworks insecure":
                "it belongs under 'source', beside 'url': source: {url: …, allowPrivateNetworks: true}",
            "file path filename": "it belongs under 'source': source: {file: …}",
            "auth token apikey username user password basicauth bearer": authorization,
            "jsonpath valuetemplate template query":
                "use 'items' (kind json) or 'values' (kind keyValue) with JSON Pointers such as /list/0/name",
            "location latitude longitude city lat lon units":
                "it belongs into the address of the forecast, which 'source' names",
            "icon": "only 'actions' have icons; the symbol of a widget is called 'symbol'",
        ]
    )

    static let source = ForeignWords(
        ["url": "uri href link address src resource", "file": "path filename", "headers": "header requestheaders"],
        texts: [
            "auth token apikey username user password basicauth bearer":
                "write it as a header: headers: {Authorization: \"Bearer ${NAME}\"}",
            "method body payload params": "sources are requested with GET; write parameters into the URL",
            "interval refresh ttl cache": "it belongs to the widget, as 'interval', beside 'source'",
            "minimuminterval staleafter": "it belongs to the widget, beside 'source'",
        ]
    )

    static let display = ForeignWords([
        "family": "type kind platform", "width": "w", "height": "h", "locale": "lang language", "timeZone": "tz",
        "appearance": "theme mode colorscheme", "rotation": "rotate rotated", "insets": "margin margins padding",
        "scale": "dpr pixelratio devicepixelratio", "contentSizeCategory": "textsize fontsize",
        "hourCycle": "timeformat clock", "palette": "colors colours colormode bitdepth bits",
        "density": "ppi dpi pixelsperinch", "inverted": "invert inverse negative", "interactive": "touch touchscreen",
    ])

    static let board = ForeignWords(
        [
            "width": "w", "height": "h", "locale": "lang language", "timeZone": "tz", "rotation": "rotate rotated",
            "palette": "colors colours colormode bitdepth bits", "density": "ppi dpi pixelsperinch",
            "inverted": "invert inverse negative", "interactive": "touch touchscreen",
            "layout": "preset template mashup", "cells": "widgets items tiles places", "header": "title",
            "hourCycle": "timeformat clock", "model": "device panel", "columns": "cols", "rows": "lines",
        ],
        texts: [
            "orientation": "write rotation: 90 for portrait",
            "size resolution dimensions": "write width and height",
            "theme appearance mode": "boards are light; write inverted: true to exchange black and white",
            "refresh interval updateinterval refreshrate": "it belongs to the widgets, as 'interval'",
            "scale devicepixelratio": "boards are laid out in pixels; write density for larger type",
        ]
    )

    static let sleepingPanel = ForeignWords([
        "id": "mac macaddress address deviceid", "board": "screen dashboard playlist mashup show",
        "interval": "refresh refreshrate refreshinterval every poll", "timeZone": "tz",
        "quietHours": "sleep sleepmode nighttime night quiet", "model": "device type",
    ])

    static let cell = ForeignWords(
        ["widget": "id", "name": "title label", "at": "position pos place origin", "span": "size extent"],
        texts: [
            "x y col column row left top": "write at: [column, row]",
            "w h width height cols columns rows colspan rowspan": "write span: [columns, rows]",
            "display": "a cell is a display of its own; remove it",
        ]
    )

    /// The words of other tools for palettes.
    static let palettes = ForeignWords([
        "mono": "bw blackwhite 1bit black white", "gray4": "grey4 4gray 2bit", "gray16": "grey16 16gray 4bit gray grey",
        "color": "colour rgb full", "bwr": "3bwr", "bwry": "4bwry",
        "color6": "6color spectra6 color6a color7 7color color7a acep",
    ])

    /// The words of other tools for the arrangements of cells.
    static let presets = ForeignWords([
        "full": "single one 1x1", "halves": "half 1lx1r 1tx1b", "one-two": "1lx2r 1tx2b",
        "two-two": "2x2 quadrants quarters",
    ])

    static let headers = ForeignWords(["date": "true on yes", "none": "false off no"])

    static let hourCycles = ForeignWords([
        "twentyFourHour": "24 24h 24hour h23", "twelveHour": "12 12h 12hour h12 ampm",
    ])

    /// The families of displays; `key` advice names a family.
    static let families = ForeignWords([
        "panel": "epaper eink epd dashboard screen tv wall kiosk monitor",
        "systemSmall": "small", "systemMedium": "medium", "systemLarge": "large", "systemExtraLarge": "extralarge xl",
        "accessoryRectangular": "lockscreen rectangular accessory", "accessoryInline": "inline",
        "accessoryCircular": "circular watch", "today": "phone iphone widget",
    ])

    /// The kinds of widgets; `key` advice names a kind.
    static let kinds = ForeignWords([
        "feed": "rss atom rdf jsonfeed news blog podcast posts headlines feeds feedreader rssfeed",
        "forecast": "weather openmeteo meteo metno yr openweathermap temperature",
        "keyValue": "facts fact values table dictionary properties plist sensor stats status info map object",
        "json": "rows list rest api customapi http items restful",
        "quote": "fortune motto saying words quoteoftheday",
        "documents": "recent files docs links bookmarks shortcuts",
    ])
}
