// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import JSON

/// The lookup of the characters for HTML's character references, such as `&nbsp;`.
enum HTMLCharacter {
    /// The maximum length of a name in bytes: a name must fit into a 64-bit integer.
    private static let maximumNameBytes = 8

    /// The characters that have names; the key is the name, packed into a 64-bit integer.
    ///
    /// The names are those of HTML 4 (https://www.w3.org/TR/html401/sgml/entities.html), and those that HTML 5 adds for
    /// letters and punctuation.
    private static let named: [UInt64: Unicode.Scalar] = {
        var table: [UInt64: Unicode.Scalar] = [:]
        // The texts are split as bytes, because splitting characters would load Unicode's tables into memory.
        for (offset, name) in latin.utf8.split(whereSeparator: isSpace).enumerated() {
            if let key = key(name) { table[key] = Unicode.Scalar(UInt32(160 + offset)) }
        }
        for pair in [others, later].flatMap({ $0.utf8.split(whereSeparator: isSpace) }) {
            let parts = pair.split(separator: UInt8(ascii: "="))
            guard parts.count == 2, let key = key(parts[0]) else { continue }
            table[key] = Unicode.Scalar(parts[1].reduce(0) { $0 * 16 + (JSONText.digit($1) ?? 0) })
        }
        return table
    }()

    /// The names of the characters 160 to 255, in order.
    private static let latin = """
        nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute
        micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring
        AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml
        times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil
        egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash
        ugrave uacute ucirc uuml yacute thorn yuml
        """

    /// The names of HTML 4 for characters outside of the range 160 to 255, and `apos`.
    ///
    /// Each name is followed by the hexadecimal code of its character.
    private static let others = """
        quot=22 amp=26 lt=3c gt=3e OElig=152 oelig=153 Scaron=160 scaron=161 Yuml=178 fnof=192 circ=2c6 tilde=2dc
        Alpha=391 Beta=392 Gamma=393 Delta=394 Epsilon=395 Zeta=396 Eta=397 Theta=398 Iota=399 Kappa=39a Lambda=39b
        Mu=39c Nu=39d Xi=39e Omicron=39f Pi=3a0 Rho=3a1 Sigma=3a3 Tau=3a4 Upsilon=3a5 Phi=3a6 Chi=3a7 Psi=3a8
        Omega=3a9 alpha=3b1 beta=3b2 gamma=3b3 delta=3b4 epsilon=3b5 zeta=3b6 eta=3b7 theta=3b8 iota=3b9 kappa=3ba
        lambda=3bb mu=3bc nu=3bd xi=3be omicron=3bf pi=3c0 rho=3c1 sigmaf=3c2 sigma=3c3 tau=3c4 upsilon=3c5 phi=3c6
        chi=3c7 psi=3c8 omega=3c9 thetasym=3d1 upsih=3d2 piv=3d6 ensp=2002 emsp=2003 thinsp=2009 zwnj=200c zwj=200d
        lrm=200e rlm=200f ndash=2013 mdash=2014 lsquo=2018 rsquo=2019 sbquo=201a ldquo=201c rdquo=201d bdquo=201e
        dagger=2020 Dagger=2021 bull=2022 hellip=2026 permil=2030 prime=2032 Prime=2033 lsaquo=2039 rsaquo=203a
        oline=203e frasl=2044 euro=20ac image=2111 weierp=2118 real=211c trade=2122 alefsym=2135 larr=2190 uarr=2191
        rarr=2192 darr=2193 harr=2194 crarr=21b5 lArr=21d0 uArr=21d1 rArr=21d2 dArr=21d3 hArr=21d4 forall=2200
        part=2202 exist=2203 empty=2205 nabla=2207 isin=2208 notin=2209 ni=220b prod=220f sum=2211 minus=2212
        lowast=2217 radic=221a prop=221d infin=221e ang=2220 and=2227 or=2228 cap=2229 cup=222a int=222b there4=2234
        sim=223c cong=2245 asymp=2248 ne=2260 equiv=2261 le=2264 ge=2265 sub=2282 sup=2283 nsub=2284 sube=2286
        supe=2287 oplus=2295 otimes=2297 perp=22a5 sdot=22c5 lceil=2308 rceil=2309 lfloor=230a rfloor=230b lang=2329
        rang=232a loz=25ca spades=2660 clubs=2663 hearts=2665 diams=2666 apos=27
        """

    /// The names that HTML 5 adds for letters and punctuation, each with the hexadecimal code of its character
    /// (https://html.spec.whatwg.org/multipage/named-characters.html).
    private static let later = """
        Tab=9 NewLine=a excl=21 QUOT=22 num=23 dollar=24 percnt=25 AMP=26 lpar=28 rpar=29 ast=2a midast=2a plus=2b
        comma=2c period=2e sol=2f colon=3a semi=3b LT=3c equals=3d GT=3e quest=3f commat=40 lbrack=5b lsqb=5b bsol=5c
        rbrack=5d rsqb=5d Hat=5e UnderBar=5f lowbar=5f grave=60 lbrace=7b lcub=7b verbar=7c vert=7c rbrace=7d rcub=7d
        Amacr=100 amacr=101 Abreve=102 abreve=103 Aogon=104 aogon=105 Cacute=106 cacute=107 Ccirc=108 ccirc=109
        Cdot=10a cdot=10b Ccaron=10c ccaron=10d Dcaron=10e dcaron=10f Dstrok=110 dstrok=111 Emacr=112 emacr=113
        Edot=116 edot=117 Eogon=118 eogon=119 Ecaron=11a ecaron=11b Gcirc=11c gcirc=11d Gbreve=11e gbreve=11f Gdot=120
        gdot=121 Gcedil=122 Hcirc=124 hcirc=125 Hstrok=126 hstrok=127 Itilde=128 itilde=129 Imacr=12a imacr=12b
        Iogon=12e iogon=12f Idot=130 imath=131 inodot=131 IJlig=132 ijlig=133 Jcirc=134 jcirc=135 Kcedil=136
        kcedil=137 kgreen=138 Lacute=139 lacute=13a Lcedil=13b lcedil=13c Lcaron=13d lcaron=13e Lmidot=13f lmidot=140
        Lstrok=141 lstrok=142 Nacute=143 nacute=144 Ncedil=145 ncedil=146 Ncaron=147 ncaron=148 napos=149 ENG=14a
        eng=14b Omacr=14c omacr=14d Odblac=150 odblac=151 Racute=154 racute=155 Rcedil=156 rcedil=157 Rcaron=158
        rcaron=159 Sacute=15a sacute=15b Scirc=15c scirc=15d Scedil=15e scedil=15f Tcedil=162 tcedil=163 Tcaron=164
        tcaron=165 Tstrok=166 tstrok=167 Utilde=168 utilde=169 Umacr=16a umacr=16b Ubreve=16c ubreve=16d Uring=16e
        uring=16f Udblac=170 udblac=171 Uogon=172 uogon=173 Wcirc=174 wcirc=175 Ycirc=176 ycirc=177 Zacute=179
        zacute=17a Zdot=17b zdot=17c Zcaron=17d zcaron=17e IOcy=401 DJcy=402 GJcy=403 Jukcy=404 DScy=405 Iukcy=406
        YIcy=407 Jsercy=408 LJcy=409 NJcy=40a TSHcy=40b KJcy=40c Ubrcy=40e DZcy=40f Acy=410 Bcy=411 Vcy=412 Gcy=413
        Dcy=414 IEcy=415 ZHcy=416 Zcy=417 Icy=418 Jcy=419 Kcy=41a Lcy=41b Mcy=41c Ncy=41d Ocy=41e Pcy=41f Rcy=420
        Scy=421 Tcy=422 Ucy=423 Fcy=424 KHcy=425 TScy=426 CHcy=427 SHcy=428 SHCHcy=429 HARDcy=42a Ycy=42b SOFTcy=42c
        Ecy=42d YUcy=42e YAcy=42f acy=430 bcy=431 vcy=432 gcy=433 dcy=434 iecy=435 zhcy=436 zcy=437 icy=438 jcy=439
        kcy=43a lcy=43b mcy=43c ncy=43d ocy=43e pcy=43f rcy=440 scy=441 tcy=442 ucy=443 fcy=444 khcy=445 tscy=446
        chcy=447 shcy=448 shchcy=449 hardcy=44a ycy=44b softcy=44c ecy=44d yucy=44e yacy=44f iocy=451 djcy=452
        gjcy=453 jukcy=454 dscy=455 iukcy=456 yicy=457 jsercy=458 ljcy=459 njcy=45a tshcy=45b kjcy=45c ubrcy=45e
        dzcy=45f emsp13=2004 emsp14=2005 numsp=2007 puncsp=2008 hairsp=200a dash=2010 hyphen=2010 horbar=2015
        Verbar=2016 Vert=2016 rsquor=2019 lsquor=201a rdquor=201d ldquor=201e ddagger=2021 bullet=2022 nldr=2025
        mldr=2026 pertenk=2031 tprime=2034 bprime=2035 OverBar=203e caret=2041 hybull=2043 bsemi=204f qprime=2057
        NoBreak=2060 af=2061 it=2062 ic=2063 bigstar=2605 starf=2605 star=2606 phone=260e check=2713 cross=2717
        """

    /// The character that stands for one half of a character without the other half.
    static let replacement: Unicode.Scalar = "\u{fffd}"

    /// The meaning of a character reference.
    enum Reference {
        case character(Unicode.Scalar)
        /// A number without a character, such as that of a control character; the reference is removed.
        case nothing
        /// One half of a character, as programs write that encode UTF-16; the value is a surrogate.
        case surrogate(UInt32)
    }

    /// Returns the meaning of the text between an ampersand and a semicolon: `nbsp`, `#160`, `#xa0`.
    ///
    /// The numbers 128 to 159 are read as Windows-1252, as in every browser. Returns nil if the name is unknown, or if
    /// the number is malformed.
    static func referred(_ name: some RandomAccessCollection<UInt8>) -> Reference? {
        guard name.first == UInt8(ascii: "#") else {
            return key(name).flatMap { named[$0] }.map(Reference.character)
        }
        return numbered(name.dropFirst())
    }

    /// Returns the character whose second half a reference at `start` contains, and the position after the reference.
    ///
    /// `first` is the first half. Returns nil if no second half follows.
    static func completed(
        _ first: UInt32,
        by bytes: some RandomAccessCollection<UInt8>
    ) -> (character: Unicode.Scalar, length: Int)? {
        guard (0xd800...0xdbff).contains(first), bytes.starts(with: "&#".utf8),
            let end = bytes.prefix(maximumNumberBytes).firstIndex(of: UInt8(ascii: ";")),
            case .surrogate(let second)? = numbered(bytes[..<end].dropFirst(2)), second >= 0xdc00,
            let character = Unicode.Scalar(0x10000 + (first - 0xd800) << 10 + (second - 0xdc00))
        else { return nil }
        return (character, bytes[...end].count)
    }

    /// The maximum number of bytes of a reference to one half of a character, such as `&#xD83D;`.
    private static let maximumNumberBytes = 12

    private static func numbered(_ digits: some RandomAccessCollection<UInt8>) -> Reference? {
        let isHexadecimal = digits.first.map { $0 | 0x20 } == UInt8(ascii: "x")
        var value: UInt32 = 0
        var count = 0
        for byte in isHexadecimal ? digits.dropFirst() : digits[...] {
            guard let digit = JSONText.digit(byte), isHexadecimal || digit < 10 else { return nil }
            value = value * (isHexadecimal ? 16 : 10) + digit
            guard value <= 0x10ffff else { return nil }
            count += 1
        }
        guard count > 0 else { return nil }
        switch value {
        case 9, 10, 13: return .character(Unicode.Scalar(UInt8(value)))
        // Control characters and numbers that will never have a character.
        case 0..<32, 127, 0xfdd0...0xfdef: return .nothing
        case _ where value & 0xfffe == 0xfffe: return .nothing
        case 128..<160: return .character(windows1252(UInt8(value)))
        default: return Unicode.Scalar(value).map(Reference.character) ?? .surrogate(value)
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte <= 32 }

    private static func key(_ name: some Collection<UInt8>) -> UInt64? {
        guard !name.isEmpty, name.count <= maximumNameBytes else { return nil }
        return name.reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Returns the character that a byte stands for in Windows-1252.
    static func windows1252(_ byte: UInt8) -> Unicode.Scalar {
        guard (128..<160).contains(byte) else { return Unicode.Scalar(byte) }
        return Unicode.Scalar(upperWindows1252[Int(byte) - 128]) ?? Unicode.Scalar(byte)
    }

    private static let upperWindows1252: [UInt16] = [
        0x20ac, 0x81, 0x201a, 0x192, 0x201e, 0x2026, 0x2020, 0x2021, 0x2c6, 0x2030, 0x160, 0x2039, 0x152, 0x8d, 0x17d,
        0x8f, 0x90, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x2dc, 0x2122, 0x161, 0x203a, 0x153, 0x9d,
        0x17e, 0x178,
    ]
}
