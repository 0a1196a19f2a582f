import Testing

@testable import ServiceExtensionTesting

@Suite struct RequestReaderTests {
    private func read(_ text: String, inPiecesOf size: Int = .max) -> RequestReader.Step {
        var reader = RequestReader()
        var rest = Array(text.utf8)[...]
        var step = RequestReader.Step.needsMore
        while !rest.isEmpty {
            let piece = rest.prefix(size)
            rest = rest.dropFirst(piece.count)
            step = reader.add(piece)
            guard step == .needsMore || step == .needsContinue else { return step }
        }
        return step
    }

    @Test(arguments: [Int.max, 1, 2, 3])
    func `a request is the same in whatever pieces it arrives`(_ size: Int) {
        let bodies = [
            "Content-Length: 5\r\n\r\nhello",
            "transfer-encoding: chunked\r\n\r\n2\r\nhe\r\n3;x=y\r\nllo\r\n0\r\nT: t\r\n\r\n",
        ]
        for body in bodies {
            guard case .request(let request) = read("POST /a?b HTTP/1.1\r\nHost:  h \r\n" + body, inPiecesOf: size)
            else {
                Issue.record("no request")
                continue
            }
            #expect(request.method == "POST" && request.target == "/a?b" && request.header("host") == "h")
            #expect(request.body == Array("hello".utf8))
        }
    }

    @Test func `lines may end without a carriage return`() {
        #expect(read("GET / HTTP/1.0\nA: b\n\n") == .request(.init(method: "GET", target: "/", headers: [("A", "b")])))
    }

    @Test func `a client that waits is asked for its body once`() {
        var reader = RequestReader()
        #expect(
            reader.add("PUT / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n".utf8) == .needsContinue)
        #expect(reader.add("a".utf8) == .needsMore)
        guard case .request = reader.add("b".utf8) else {
            Issue.record("no request")
            return
        }
    }

    @Test(arguments: [
        "GET /\r\n\r\n", "GET / HTTP/2\r\n\r\n", "GET / HTTP/1.1\r\n: b\r\n\r\n",
        "GET / HTTP/1.1\r\nA: b\r\n folded\r\n\r\n",
        "GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", "GET / HTTP/1.1\r\nContent-Length: 16777217\r\n\r\n",
        "GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n",
        "GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFF\r\n",
        "GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n",
    ])
    func `what is no request is refused`(_ text: String) {
        guard case .invalid = read(text) else {
            Issue.record("accepted")
            return
        }
    }

    @Test func `headers end at their limit`() {
        let line = "GET / HTTP/1.1\r\n"
        func step(_ count: Int) -> RequestReader.Step {
            read(line + "A: " + String(repeating: "a", count: count - line.utf8.count - 6) + "\r\n\r")
        }
        #expect(step(RequestReader.maximumHead) == .needsMore)
        #expect(step(RequestReader.maximumHead + 1) != .needsMore)
    }

    @Test(arguments: [
        ("1;", "a\r\nb\r\n0\r\n\r\n", 1024), ("0\r\nT: ", "\r\n\r\n", RequestReader.maximumHead + 3),
    ])
    func `the line of a chunk and its trailers have the same limit in one piece and in many`(
        _ before: String, _ after: String, _ limit: Int
    ) {
        func step(_ length: Int, inPiecesOf size: Int) -> RequestReader.Step {
            let filling = String(repeating: "a", count: length - before.utf8.count)
            return read("PUT / HTTP/1.1\nTransfer-Encoding: chunked\n\n" + before + filling + after, inPiecesOf: size)
        }
        let size = limit / 10
        for length in [limit - 4, limit - 1, limit, limit + 1, limit + 4] {
            #expect(step(length, inPiecesOf: .max) == step(length, inPiecesOf: size), "\(length)")
        }
        for size in [Int.max, size] {
            guard case .request = step(limit - 8, inPiecesOf: size), case .invalid = step(limit + 8, inPiecesOf: size)
            else {
                Issue.record("the limit is not there")
                continue
            }
        }
    }
}
