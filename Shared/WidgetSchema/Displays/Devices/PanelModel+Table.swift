// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

extension PanelModel {
    /// The models of panels, in the order of their names.
    ///
    /// Sizes, colours, scales, rotations and byte limits are those of the list of models that TRMNL's servers share
    /// (usetrmnl/terminus 0.70 and usetrmnl/larapaper, 2026-08). 256 levels of grey become 16 in a file of 8 bits, because
    /// Kindles accept no other (trmnl-kindle issue 8), and seven colours become the six pure ones. Where the firmware itself
    /// accepts more bytes than the list says, its limit counts (`BOARD_X_CLASS` of usetrmnl/trmnl-firmware). The offset of
    /// `amazon_kindle_2024`, 75 and 25 pixels, is left to the program that shows the picture.
    public static let all: [PanelModel] = [
        model(
            "amazon-kindle-2024",
            "amazon_kindle_2024",
            1400,
            840,
            [.gray16],
            scale: 1.75,
            fileBits: 8,
            rotation: .quarter,
            limit: large
        ),
        model(
            "amazon-kindle-7",
            "amazon_kindle_7",
            800,
            600,
            [.gray16],
            scale: 1,
            fileBits: 8,
            rotation: .quarter,
            limit: large
        ),
        model(
            "amazon-kindle-oasis-2",
            "amazon_kindle_oasis_2",
            1680,
            1264,
            [.gray16],
            scale: 2.1,
            fileBits: 8,
            rotation: .quarter,
            limit: large
        ),
        model(
            "amazon-kindle-paperwhite-6th-gen",
            "amazon_kindle_paperwhite_6th_gen",
            1024,
            768,
            [.gray16],
            scale: 1.28,
            fileBits: 8,
            rotation: .quarter,
            limit: large
        ),
        model(
            "amazon-kindle-paperwhite-7th-gen",
            "amazon_kindle_paperwhite_7th_gen",
            1448,
            1072,
            [.gray16],
            scale: 1.6,
            fileBits: 8,
            rotation: .quarter,
            limit: large
        ),
        model(
            "amazon-kindle-paperwhite-signature-11th-gen",
            "amazon_kindle_paperwhite_signature_11th_gen",
            1648,
            1236,
            [.mono, .gray4, .gray16],
            scale: 2.06,
            fileBits: 8,
            rotation: .quarter,
            limit: large
        ),
        model(
            "amazon-kindle-scribe",
            "amazon_kindle_scribe",
            2480,
            1860,
            [.gray16],
            scale: 2.5,
            fileBits: 8,
            rotation: .quarter,
            limit: large
        ),
        model(
            "amazon-kindle-voyage",
            "amazon_kindle_voyage",
            1448,
            1072,
            [.gray16],
            scale: 1.4008,
            fileBits: 8,
            rotation: .quarter,
            limit: large
        ),
        model("avalue-epd-42s", "avalue_epd_42s", 2880, 2160, [.mono, .gray4, .gray16], scale: 2.7692),
        model("ed133ut2", "ed133ut2", 1600, 1200, [.mono, .gray4, .gray16], scale: 1.5385),
        model("generic-16-9", "generic_16_9", 1920, 1080, [.mono, .gray4, .gray16, .color], scale: 2.4),
        model("inkplate-10", "inkplate_10", 1200, 825, [.mono, .gray4], scale: 1.5),
        model("inkplate-5-2", "inkplate_5_2", 1280, 720, [.mono, .gray4, .gray16], scale: 1.1996),
        model("inkplate-6-color", "inkplate_6_color", 600, 448, [.color6], scale: 0.75),
        model("inkplate-6-plus", "inkplate_6_plus", 1024, 758, [.mono, .gray4], scale: 0.9846),
        model("inky-impression-13-3", "inky_impression_13_3", 1600, 1200, [.mono, .color6], scale: 2),
        model("inky-impression-7-3", "inky_impression_7_3", 800, 480, [.mono, .color6], scale: 1),
        model("kobo-aura-h2o-2", "kobo_aura_h2o_2", 1430, 1080, [.mono, .gray4, .gray16], scale: 1.375),
        model("kobo-aura-hd", "kobo_aura_hd", 1440, 1080, [.mono, .gray4, .gray16], scale: 1.8),
        model("kobo-aura-one", "kobo_aura_one", 1872, 1404, [.mono, .gray4, .gray16], scale: 1.8),
        model("kobo-forma", "kobo_forma", 1920, 1440, [.mono, .gray4, .gray16], scale: 1.4004),
        model("kobo-glo", "kobo_glo", 1024, 768, [.mono, .gray4, .gray16], scale: 1.2995),
        model("kobo-libra-2", "kobo_libra_2", 1680, 1264, [.mono, .gray4, .gray16], scale: 2),
        model("kobo-sage", "kobo_sage", 1920, 1440, [.mono, .gray4, .gray16], scale: 1.4004),
        model("kobo-touch", "kobo_touch", 800, 600, [.mono, .gray4, .gray16], scale: 1),
        model("m5-paper-s3", "m5_paper_s3", 960, 540, [.mono, .gray4, .gray16], scale: 1, limit: ofLargeBoards),
        model(
            "nook-simple-touch",
            "nook_simple_touch",
            800,
            600,
            [.mono, .gray4, .gray16],
            scale: 1,
            fileBits: 8,
            rotation: .quarter,
            limit: large
        ),
        model(
            "onxy-boox-nova-air-c",
            "onxy_boox_nova_air_c",
            1872,
            1404,
            [.mono, .gray4, .gray16, .color],
            scale: 1.8,
            rotation: .quarter
        ),
        model(
            "onyx-boox-go-7",
            "onyx_boox_go_7",
            1880,
            1264,
            [.mono, .gray4, .gray16],
            scale: 1.8008,
            rotation: .quarter
        ),
        model(
            "onyx-boox-poke-5",
            "onyx_boox_poke_5",
            1072,
            1448,
            [.mono, .gray4, .gray16],
            scale: 1.34,
            rotation: .quarter
        ),
        model("openframe", "openframe", 800, 480, [.mono, .gray4, .gray16, .color], scale: 1, refusal: webP),
        model("palma", "palma", 1648, 824, [.gray16], scale: 2, fileBits: 8),
        model("raspberry-pi-touch-2", "raspberry_pi_touch_2", 1280, 720, [.color], scale: 1.1996),
        model("remarkable-paper-2", "remarkable_paper_2", 1404, 1872, [.mono, .gray4, .gray16], scale: 1.8),
        model("seeed-e1001", "seeed_e1001", 800, 480, [.mono, .gray4], scale: 1),
        model("seeed-e1002", "seeed_e1002", 800, 480, [.color6, .mono], scale: 1),
        model("seeed-e1003", "seeed_e1003", 1872, 1404, [.gray16, .gray4, .mono], scale: 1.8, limit: ofLargeBoards),
        model("seeed-e1004", "seeed_e1004", 1600, 1200, [.mono, .color6], scale: 1.5385, rotation: .quarter),
        model("tidbyt", "tidbyt", 64, 32, [.color], scale: 1, refusal: webP),
        model("trmnl-og", "og_png", 800, 480, [.mono], scale: 1),
        model("trmnl-og-bwry", "og_bwry", 800, 480, [.bwry], scale: 1),
        model("trmnl-og-plus", "og_plus", 800, 480, [.mono, .gray4], scale: 1),
        model("trmnl-x", "v2", 1872, 1404, [.gray16, .gray4, .mono], scale: 1.8, limit: ofLargeBoards),
        model("waveshare-4-26", "waveshare_4_26", 800, 480, [.mono, .gray4], scale: 1),
        model("waveshare-7-5-bw", "waveshare_7_5_bw", 800, 480, [.mono], scale: 1),
        model("waveshare-7-5-bwr", "waveshare_7_5_bwr", 800, 480, [.bwr], scale: 1),
        model("waveshare-7-5-bwry", "waveshare_7_5_bwry", 800, 480, [.bwry], scale: 1),
        model("xteink-x4", "xteink_x4", 800, 480, [.mono], scale: 1),
    ]

    /// The maximum size of a picture of most models: larger ones are refused by their firmware.
    private static let small = 90_000
    private static let large = 512_000
    private static let ofLargeBoards = 750_000
    private static let webP = "it reads pictures of type WebP, and pictures here are of type PNG"

    private static func model(
        _ name: String,
        _ listName: String,
        _ width: Int,
        _ height: Int,
        _ palettes: [PanelPalette],
        scale: Double,
        fileBits: Int? = nil,
        rotation: Panel.Rotation = .none,
        limit: Int = small,
        refusal: String? = nil
    ) -> PanelModel {
        PanelModel(
            name: name,
            listName: listName,
            width: width,
            height: height,
            palettes: palettes,
            fileBits: fileBits,
            scale: scale,
            rotation: rotation,
            byteLimit: limit,
            refusal: refusal
        )
    }
}
