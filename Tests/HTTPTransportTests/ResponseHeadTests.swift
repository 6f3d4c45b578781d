// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing

@testable import HTTPTransport

@Suite struct ResponseHeadTests {
    private func head(_ lines: [[UInt8]]) -> ResponseHead {
        var head = ResponseHead()
        for line in lines { line.withUnsafeBytes { head.receive(line: $0) } }
        return head
    }

    @Test(arguments: [
        [0x22, 0x61, 0x22], [0x22, 0xe9, 0x22], [0x22, 0xc3, 0xa9, 0x22], [0xff, 0x80], [0xee, 0xbe, 0x80],
    ])
    func anEntityTagGoesBackByteForByte(bytes: [UInt8]) throws {
        let head = head([Array("HTTP/1.1 200 OK".utf8), Array("ETag: ".utf8) + bytes, []])
        let tag = try #require(head.headers["ETag"])
        #expect(OpaqueBytes.bytes(tag) == bytes)
        #expect(HTTPHeader("If-None-Match", tag).isWellFormed)
    }

    private func head(_ lines: String...) -> ResponseHead { head(lines.map { Array($0.utf8) }) }

    @Test func repeatedHeadersKeepTheirOrder() {
        let headers = head("HTTP/1.1 200 OK\r\n", "Link: a\r\n", "ETag: \"x\"\r\n", "link:b \r\n", "\r\n").headers
        #expect(headers.values("LINK") == ["a", "b"])
        #expect(headers["etag"] == "\"x\"")
        #expect(headers["missing"] == nil)
    }

    @Test func anInterimAnswerLeavesNothingBehind() {
        let headers = head(
            "HTTP/1.1 103 Early Hints\r\n",
            "Link: early\r\n",
            "\r\n",
            "HTTP/1.1 200 OK\r\n",
            "A: b\r\n",
            "\r\n"
        ).headers
        #expect(headers.fields == [HTTPHeader("A", "b")])
    }

    @Test func lengthsThatDifferAreContradictoryUnlessTheBodyIsChunked() {
        let lengths = ["Content-Length: 10", "Content-Length: 12"]
        func head(_ lines: [String]) -> ResponseHead { self.head((["HTTP/1.1 200 OK"] + lines).map { Array($0.utf8) }) }
        #expect(head(lengths).hasContradictoryLengths)
        #expect(head(["Content-Length: 10, 12"]).hasContradictoryLengths)
        #expect(!head(["Content-Length: 10", "Content-Length: 10"]).hasContradictoryLengths)
        #expect(!head(["Content-Length: 10, 10"]).hasContradictoryLengths)
        #expect(!head(lengths + ["Transfer-Encoding: chunked"]).hasContradictoryLengths)
        #expect(!head([]).hasContradictoryLengths)
    }

    @Test func trailersAreCountedButNotKept() {
        let head = head("HTTP/1.1 200 OK\r\n", "\r\n", "X: y\r\n")
        #expect(head.headers.fields.isEmpty)
        #expect(head.receivedBytes == 25)
    }

    @Test func aFoldedLineContinuesItsValue() {
        #expect(head("HTTP/1.1 200 OK\r\n", "A: b\r\n", "\t c\r\n", "\r\n").headers["a"] == "b c")
    }

    @Test func latin1IsRead() {
        let line = Array("Title: caf".utf8) + [0xe9, 0x0d, 0x0a]
        #expect(head([Array("HTTP/1.1 200 OK\r\n".utf8), line]).headers["title"] == "café")
    }
}
