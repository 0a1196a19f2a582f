import PushJSON
import PushRPC
import Testing

/// Messages in lines (Model Context Protocol 2025-06-18, stdio transport).
struct LineFramerTests {
    private func items(_ pieces: [String], maximum: Int = 1000) -> [MessageFramer.Item] {
        var framer = LineFramer(maximumLineBytes: maximum)
        var items: [MessageFramer.Item] = []
        for piece in pieces {
            framer.append(piece.utf8)
            while let item = framer.next() { items.append(item) }
        }
        return items
    }

    private func content(_ text: String) -> MessageFramer.Item { .content(Array(text.utf8)) }

    @Test func `messages are found however they arrive`() {
        let text = "{}\n[1,2]\r\n\n \t\n{\"a\":1}\n"
        let expected = [content("{}"), content("[1,2]"), content("{\"a\":1}")]
        #expect(items([text]) == expected)
        #expect(items(text.map(String.init)) == expected)
    }

    @Test func `a line without an end is not a message`() { #expect(items(["{}\n{}"]) == [content("{}")]) }

    @Test func `a line over the limit is dropped as it arrives, and one at the limit is read`() {
        let fault = MessageFramer.Item.fault("a message of more than 4 bytes")
        let expected = [fault, content("1234"), fault, content("12")]
        let text = "12345\n1234\n123456789\n12\n"
        #expect(items([text], maximum: 4) == expected)
        #expect(items(text.map(String.init), maximum: 4) == expected)
    }

    @Test func `a line without an end is reported once`() {
        let found = items(Array(repeating: String(repeating: "x", count: 1000), count: 20) + ["\n{}\n"])
        #expect(found == [.fault("a message of more than 1000 bytes"), content("{}")])
    }

    @Test func `a message takes one line`() {
        #expect(LineFramer.framed(JSONValue.string("a\nb").text) == Array("\"a\\nb\"\n".utf8))
    }
}
