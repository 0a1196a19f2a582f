import PushRPC
import Testing

/// Headers and contents in a stream (Language Server Protocol 3.17, Base Protocol).
struct MessageFramerTests {
    private func items(_ pieces: [String], maximum: Int = 1000) -> [MessageFramer.Item] {
        var framer = MessageFramer(maximumContentBytes: maximum)
        var items: [MessageFramer.Item] = []
        for piece in pieces {
            framer.append(piece.utf8)
            while let item = framer.next() { items.append(item) }
        }
        return items
    }

    private func content(_ text: String) -> MessageFramer.Item { .content(Array(text.utf8)) }

    private static let two =
        "Content-Length: 2\r\n\r\n{}Content-Length: 5\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n[1,2]"

    @Test func `messages are found however they arrive`() {
        let expected = [content("{}"), content("[1,2]")]
        #expect(items([Self.two]) == expected)
        #expect(items(Self.two.map(String.init)) == expected)
    }

    @Test(arguments: [
        "content-length:2\r\n\r\n{}", "Content-Length: 2 \r\nX: y\r\n\r\n{}", "Content-Length: 2\n\n{}",
        "a log line\r\nContent-Length: 2\r\n\r\n{}", "Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}",
    ])
    func `headers may be written otherwise`(text: String) { #expect(items([text]) == [content("{}")]) }

    @Test(arguments: [
        "X: y\r\n\r\n", "Content-Length: -2\r\n\r\n", "Content-Length: two\r\n\r\n", "Content-Length: \r\n\r\n",
        "Content-Length: 99999999999999999999999\r\n\r\n", "Content-Length: 1\r\nContent-Length: 2\r\n\r\n",
    ])
    func `a broken header is a fault, and the next message is read`(header: String) {
        let found = items([header + "Content-Length: 2\r\n\r\n{}"])
        #expect(found.count == 2)
        #expect(found.last == content("{}"))
    }

    @Test func `many broken headers are one fault, and after a message one more`() {
        let broken = String(repeating: "\n\n", count: 10_000)
        let found = items([broken + Self.two + broken])
        #expect(found.count == 4 && found[0] == found[3])
        #expect(found[1...2] == [content("{}"), content("[1,2]")])
    }

    @Test func `a message over the limit is dropped as it arrives, and one at the limit is read`() {
        let found = items(["Content-Length: 5\r\n\r\n12", "3", "45", "Content-Length: 4\r\n\r\n1234"], maximum: 4)
        #expect(found.count == 2)
        #expect(found.last == content("1234"))
    }

    @Test(arguments: [
        ("Content-Length: 1\r\n\r\n{}Content-Length: 2\r\n\r\n{}", ["{", "{}"]),
        (
            "Content-Length: 1\r\n\r\n{\"content-length: 7\"}content-length: 2\r\nX: y\r\n\r\n{}",
            ["{", "{}"]
        ), ("X-Content-Length: 9\r\nContent-Length: 2\r\n\r\n{}", ["{}"]),
    ])
    func `after a content that is longer than was said, the next message is read`(text: String, contents: [String]) {
        #expect(items([text]) == contents.map(content))
        #expect(items(text.map(String.init)) == contents.map(content))
    }

    @Test func `a header has at most 4096 bytes, and of a longer one the end is read`() {
        func header(_ count: Int) -> String {
            let end = "\r\nContent-Length: 2\r\n\r\n"
            return "X: " + String(repeating: "y", count: count - 3 - end.utf8.count) + end
        }
        #expect(items([header(4096) + "{}"]) == [content("{}")])
        let long = items([header(4097) + "{}"])
        #expect(long == [.fault("a header of more than 4096 bytes"), content("{}")])
    }

    @Test(arguments: [1, 7, 1000, 4096, 10_000])
    func `what a header without an end leaves does not depend on the pieces`(
        size: Int
    ) {
        let text = Array((String(repeating: "x", count: 5000) + "\n" + Self.two).utf8)
        let pieces = stride(from: 0, to: text.count, by: size).map {
            String(decoding: text[$0..<min($0 + size, text.count)], as: UTF8.self)
        }
        #expect(items(pieces).suffix(2) == [content("{}"), content("[1,2]")])
    }

    /// Each was once compared with all before it, which took minutes.
    @Test func `half a million lines without an end are one fault`() {
        let lines = String(repeating: "a: b\r\n", count: 500_000)
        #expect(items([lines]) == [.fault("a header of more than 4096 bytes")])
    }

    @Test func `a header without an end is dropped`() {
        let flood = Array(repeating: String(repeating: "x", count: 1000), count: 20)
        let found = items(flood + ["\r\n\r\n" + Self.two])
        #expect(found.suffix(2) == [content("{}"), content("[1,2]")])
        #expect(found.count < 10)
    }
}
