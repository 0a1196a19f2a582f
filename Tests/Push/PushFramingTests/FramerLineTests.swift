import PushFraming
import TestSupport
import Testing

/// Lines, NUL bytes and RFC 7464.
struct FramerLineTests {
    @Test(arguments: [
        ("{\"a\":1}\n{\"b\":2}\n", ["{\"a\":1}", "{\"b\":2}"]),
        ("{\"a\":1}\n{\"b\":2}", ["{\"a\":1}", "{\"b\":2}"]),
        ("{\"a\":1}\r\n{\"b\":2}\r\n", ["{\"a\":1}", "{\"b\":2}"]),
        ("{\"a\":1}\r\n{\"b\":2}\r", ["{\"a\":1}", "{\"b\":2}"]),
        ("\u{FEFF}{\"a\":1}\n{\"b\":2}\n", ["{\"a\":1}", "{\"b\":2}"]),
        ("\n\n{\"a\":1}\n\r\n \t\n{\"b\":2}\n\n", ["{\"a\":1}", "{\"b\":2}"]),
        ("\u{FEFF}\r\n{\"a\":1}", ["{\"a\":1}"]),
        ("no JSON\n}{\n", ["no JSON", "}{"]),
        ("", []), ("\n", []), ("\r\n\r\n", []), ("   ", []), ("\u{FEFF}", []), ("1", ["1"]), ("12", ["12"]),
    ])
    func `a line is a record, whatever its line ending`(text: String, expected: [String]) {
        for pieces in [[], byteByByte(Array(text.utf8))] {
            let framed = frame(text, .ndjson, pieces: pieces)
            #expect(framed.texts == expected)
            #expect(framed.isWellBehaved)
        }
    }

    @Test(arguments: [
        "{\"a\":1}\n", "{\"a\":1}\r\n{", "{\n", "{\r\n", "{\"a\":1}", "[1]\n", " {}\n", "\n{}\n", "", "{123456}\n",
    ])
    func `a whole line that begins with a brace is what the framer finds next`(text: String) {
        var framer = Framer(.ndjson, maximumRecordBytes: 7)
        #expect(!framer.isAmongLines)
        let first = Array("{}\n".utf8).withUnsafeBytes { framer.next(in: $0, isEnd: false) }
        #expect(first == .record(0..<2, consumed: 3))
        #expect(framer.isAmongLines)
        let bytes = Array(text.utf8)
        let line = bytes.withUnsafeBytes { bytes in
            framer.wholeLine(in: bytes).map { Frame.record(0..<$0.end, consumed: $0.consumed) }
        }
        let next = bytes.withUnsafeBytes { framer.next(in: $0, isEnd: false) }
        let isRecord = if case .record = next { text.hasPrefix("{") } else { false }
        #expect(line == (isRecord ? next : nil))
    }

    @Test func `only a byte-order mark at the beginning of an input is dropped`() {
        #expect(frame("\u{FEFF}1\n\u{FEFF}2\n", .ndjson).texts == ["1", "\u{FEFF}2"])
        #expect(frame("\u{FEFF}\u{FEFF}1\n", .ndjson).texts == ["\u{FEFF}1"])
    }

    @Test(arguments: Framing.allCases)
    func `a compressed file, an archive and a database are one record, which is their beginning`(framing: Framing) {
        let beginnings: [[UInt8]] = [
            [0x1F, 0x8B, 0x08], [0x28, 0xB5, 0x2F, 0xFD], [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00],
            Array("BZh91AY&SY".utf8), Array("BZh1\u{17}rE8P".utf8) + [0x90], [0x50, 0x4B, 0x03, 0x04],
            Array("SQLite format 3\0".utf8),
        ]
        for beginning in beginnings {
            let bytes = beginning + Array("{}\n{\n\n\0{}\u{1E}{}\n".utf8)
            for pieces in [[], byteByByte(bytes)] {
                let framed = frame(bytes, framing, pieces: pieces)
                #expect(framed.texts == [String(decoding: beginning, as: UTF8.self)])
                #expect(framed.isWellBehaved && framed.mostKept < 16)
            }
            #expect(frame(bytes, framing, limit: 1).items == [.tooLong])
        }
        for text in ["BZ", "BZh9 goals", "PK", "\u{1F}"] { #expect(frame(text, framing).texts == [text]) }
        // Only the beginning of an input counts.
        #expect(frame(Array("{}\n".utf8) + [0x50, 0x4B, 0x03, 0x04], .ndjson).items.count == 2)
    }

    @Test func `only the last carriage return of a line is dropped`() {
        #expect(frame("a\rb\r\r\n", .ndjson).texts == ["a\rb\r"])
    }

    @Test(arguments: [
        ("{\"a\":1}\0{\"b\":\n2}\0", ["{\"a\":1}", "{\"b\":\n2}"]),
        ("{\"a\":1}\0{\"b\":2}", ["{\"a\":1}", "{\"b\":2}"]),
        ("\0\0{\"a\":1}\0 \n\0{\"b\":2}\0\0", ["{\"a\":1}", "{\"b\":2}"]),
        ("\u{FEFF}{\"a\":1}\0", ["{\"a\":1}"]),
        ("{\"a\":1}\r\0", ["{\"a\":1}\r"]),
        ("", []), ("\0", []),
    ])
    func `a NUL byte separates records`(text: String, expected: [String]) {
        for pieces in [[], byteByByte(Array(text.utf8))] {
            let framed = frame(text, .nul, pieces: pieces)
            #expect(framed.texts == expected)
            #expect(framed.isWellBehaved)
        }
    }

    /// RFC 7464, section 2.2: each text begins with RS and ends with LF.
    @Test(arguments: [
        ("\u{1E}{\"a\":1}\n\u{1E}{\"b\":2}\n", ["{\"a\":1}", "{\"b\":2}"]),
        ("\u{1E}{\"a\":1}\n\u{1E}{\"b\":2}", ["{\"a\":1}", "{\"b\":2}"]),
        ("\u{1E}{\n  \"a\": 1\n}\n\u{1E}{\"b\":2}\n", ["{\n  \"a\": 1\n}", "{\"b\":2}"]),
        // "Multiple consecutive RS octets do not denote empty sequence elements between them."
        ("\u{1E}\u{1E}\u{1E}{\"a\":1}\n\u{1E}\n\u{1E}{\"b\":2}\n", ["{\"a\":1}", "{\"b\":2}"]),
        // A truncated text ends where the next one begins.
        ("\u{1E}{\"a\":\u{1E}{\"b\":2}\n", ["{\"a\":", "{\"b\":2}"]),
        ("\u{1E}{\"a\":1}\n\u{1E}", ["{\"a\":1}"]),
        ("", []), ("\u{1E}", []), ("\u{1E}\n\u{1E}\n", []),
    ])
    func `a record separator begins a record`(text: String, expected: [String]) {
        for framing in [Framing.seq, .auto] {
            for pieces in [[], byteByByte(Array(text.utf8))] {
                let framed = frame(text, framing, pieces: pieces)
                #expect(framed.texts.map { $0.map(trimmed) } == expected, "\(framing)")
                #expect(framed.isWellBehaved)
            }
        }
    }

    @Test func `a slow sender's record in a sequence does not wait for the next one`() {
        let first = Array("\u{1E}{\"a\":1}\n".utf8)
        var framer = Framer(.seq, maximumRecordBytes: 100)
        let frames = first.withUnsafeBytes { bytes in
            [
                framer.next(in: bytes, isEnd: false),
                framer.next(in: UnsafeRawBufferPointer(rebasing: bytes[1...]), isEnd: false),
            ]
        }
        #expect(frames.first == .skip(consumed: 1))
        guard case .record(_, let consumed) = frames.last else {
            Issue.record("\(frames)")
            return
        }
        #expect(consumed == first.count - 1)
    }

    /// A device of zeros has nothing else.
    @Test func `separators with nothing between them are skipped at once`() {
        for (framing, byte) in [(Framing.nul, UInt8(0)), (.ndjson, UInt8(ascii: "\n"))] {
            var framer = Framer(framing, maximumRecordBytes: 100)
            let bytes = [UInt8](repeating: byte, count: 5000)
            #expect(bytes.withUnsafeBytes { framer.next(in: $0, isEnd: false) } == .skip(consumed: 5000))
        }
    }

    @Test func `a slow sender's line does not wait for the next one`() {
        let line = Array("{\"a\":1}\n".utf8)
        for framing in [Framing.ndjson, .auto] {
            var framer = Framer(framing, maximumRecordBytes: 100)
            let answer = line.withUnsafeBytes { framer.next(in: $0, isEnd: false) }
            #expect(answer == .record(0..<7, consumed: 8), "\(framing)")
        }
    }

    /// Without the line feed that ends a text of RFC 7464 and is no part of the value.
    private func trimmed(_ text: String) -> String {
        String(text.reversed().drop { $0.isWhitespace }.reversed())
    }
}
