// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import SourceParsing
import Testing
import WidgetSchema

@Suite struct KeyValueTests {
    @Test func allScalarsAreTakenByNameAndAsWritten() throws {
        #expect(
            try KindSamples.facts(KindSamples.facts) == [
                "asn=AS15169", "city=Mountain View", "company.name=Example", "company.network.size=24", "in_eu=false",
                "ip=192.0.2.8", "latitude=37.386", "longitude=-122.0838", "offset=-7",
            ]
        )
    }

    @Test func numbersStayAsTheyAreWritten() throws {
        let facts = try KindSamples.facts(#"{"a":1.10,"b":1E3,"c":0.1,"d":123456789012345678901234567890}"#)
        #expect(facts == ["a=1.10", "b=1E3", "c=0.1", "d=123456789012345678901234567890"])
    }

    @Test func whatIsNotVisibleInANameDoesNotMoveIt() throws {
        let (plain, other) = (
            "{\"a b\":1,\"c\":2,\"\u{E9}\":3}", "{\"\u{FEFF}a\u{A0} b\":1,\"\u{200B}c\":2,\"e\u{301}\":3}"
        )
        let facts = try [plain, other].map { try KindSamples.facts($0).map { Array($0.unicodeScalars) } }
        #expect(facts[0] == facts[1])
    }

    @Test func namesThatLookTheSameStayApart() throws {
        let facts = try KindSamples.facts("{\"a\":1,\"a\u{200B}\":2,\"b\u{200B}\":3}")
        let expected = ["a=1", "a\u{200B}=2", "b=3"]
        #expect(facts.map { Array($0.unicodeScalars) } == expected.map { Array($0.unicodeScalars) })
    }

    @Test func aConfigurationChoosesAndOrders() throws {
        let facts = try KindSamples.facts(
            KindSamples.facts,
            values:
                "Town=/city&Size=/company/network/size&None=/nothing&Region=/region&Words=/languages/0&List=/languages"
        )
        #expect(facts == ["Town=Mountain View", "Size=24", "Words=en"])
    }

    @Test func namesWithSlashesAndTildesAreReached() throws {
        let facts = try KindSamples.facts(#"{"a/b":{"m~n":7}}"#, values: "X=/a~1b/m~0n")
        #expect(facts == ["X=7"])
    }

    @Test func noneOfTheChosenIsAFault() {
        let fault = KindSamples.fault(#"{"a":1}"#, .keyValue, options: ["value.000": "Town=/city"])
        #expect(fault?.message == "the document has none of the 1 configured values, such as Town at '/city'")
    }

    @Test func theLastOfTwoMembersCounts() throws {
        #expect(try KindSamples.facts(#"{"a":1,"b":2,"a":3}"#) == ["a=3", "b=2"])
        #expect(try KindSamples.facts(#"{"a":{"b":2},"a":{"c":3}}"#, values: "X=/a/b&Y=/a/c") == ["Y=3"])
        #expect(try KindSamples.facts(#"{"a":1,"a":null,"b":2}"#) == ["b=2"])
    }

    @Test func onlyThePrivateAddressIsAFactToo() throws {
        #expect(try KindSamples.facts(#"{"ip":"192.168.1.1"}"#) == ["ip=192.168.1.1"])
        #expect(try KindSamples.facts("{}").isEmpty)
    }

    /// Checks errors that several services send with status 200 instead of data.
    @Test(arguments: [
        (#"{"status":"fail","message":"reserved range","query":"127.0.0.1"}"#, "/status", "reserved range", false),
        (#"{"error":true,"reason":"RateLimited","message":"x"}"#, "/error", "RateLimited", true),
        (#"{"error":"Too many requests"}"#, "/error", "Too many requests", true),
        (#"{"error":{"code":101,"type":"missing_access_key"}}"#, "/error", "missing_access_key", false),
        (#"{"success":false,"message":"Invalid IP"}"#, "/success", "Invalid IP", false),
        (#"{"ip":"192.0.2.1","latitude":"Sign up to access"}"#, "/latitude", "Sign up to access", false),
    ])
    func anApologyIsNoFact(text: String, pointer: String, reason: String, isLimited: Bool) throws {
        let fault = try #require(KindSamples.fault(text, .keyValue))
        #expect(fault.kind == (isLimited ? .rateLimited : .refused))
        #expect(fault.message == "\(pointer): the origin says: \(reason)")
    }

    @Test func aConfiguredStatusMayBeFailed() throws {
        let job = #"{"job":"build","status":"failed","message":"exit 1","error":{"message":"quota exceeded"}}"#
        #expect(try KindSamples.facts(job, values: "Job=/job&Status=/status") == ["Job=build", "Status=failed"])
        #expect(KindSamples.fault(job, .keyValue, options: ["value.000": "Town=/city"])?.kind == .rateLimited)
        #expect(try KindSamples.facts(#"{"job":"build","status":"failed"}"#) == ["job=build", "status=failed"])
    }

    @Test func anApologyWithSomeOfTheValuesIsNoFact() {
        let apology = #"{"status":"fail","message":"reserved range","query":"127.0.0.1"}"#
        #expect(
            KindSamples.fault(apology, .keyValue, options: ["value.000": "IP=/query", "value.001": "Town=/city"])?.kind
                == .refused
        )
        #expect(
            KindSamples.fault(#"{"status":"fail","data":{"title":"A title is required"}}"#, .keyValue)?.kind == .refused
        )
    }

    @Test(arguments: [
        #"{"status":"success","city":"Oslo"}"#, #"{"error":false,"city":"Oslo"}"#, #"{"error":null,"city":"Oslo"}"#,
        #"{"success":true,"city":"Oslo"}"#, #"{"error":"","city":"Oslo"}"#,
    ])
    func sayingThatAllIsWellIsNoApology(text: String) throws {
        #expect(try KindSamples.facts(text).contains("city=Oslo"))
    }

    @Test func longTextsAreCutAndLongNamesLeftOut() throws {
        let name = String(repeating: "n", count: 101)
        let facts = try KindSamples.facts("{\"\(name)\":1,\"a\":\"\(String(repeating: "é", count: 400))\"}")
        #expect(facts.count == 1)
        #expect(facts.first?.count == 302)
    }

    @Test func moreThanAThousandValuesHaveToBeChosenFrom() throws {
        let text = "{" + (0...1_000).map { #""k\#($0)":\#($0)"# }.joined(separator: ",") + "}"
        #expect(KindSamples.fault(text, .keyValue)?.kind == .tooComplex)
        #expect(try KindSamples.facts(text, values: "X=/k1000") == ["X=1000"])
    }

    @Test func factsInTheirOwnFormKeepTheirOrder() throws {
        let own = #"{"kind":"keyValue","keyValue":{"pairs":[{"key":"b","value":"1"},{"key":"a","value":2}]}}"#
        #expect(try KindSamples.facts(own) == ["b=1", "a=2"])
        let twice = own.replacing(#""a""#, with: #""b""#)
        let message = KindSamples.fault(twice, .keyValue)?.message
        #expect(message?.hasPrefix("/keyValue/pairs/1/key: 'b' occurs twice") == true)
    }
}
