import PushFraming
import TestSupport
import Testing

/// Arrays of objects: their elements are the records.
struct FramerArrayTests {
    private static let elements = [#"{"a":[1,{"b":2}]}"#, #"{"c":"],["}"#, "{}"]
    private static let texts = [
        "[" + elements.joined(separator: ",") + "]", "[\n  " + elements.joined(separator: ",\n  ") + "\n]\n",
        " [ \r\n" + elements.joined(separator: " , ") + " ] \n", "\u{FEFF}[" + elements.joined(separator: ",\n") + "]",
        "[" + elements[0] + "]\n[" + elements[1] + "," + elements[2] + "]\n",
    ]

    @Test(arguments: texts) func `the elements of an array are records, however its bytes arrive`(text: String) {
        for pieces in [[], byteByByte(Array(text.utf8))] {
            let framed = frame(text, .auto, pieces: pieces)
            #expect(framed.texts == Self.elements, "\(pieces.count) pieces")
            #expect(framed.isWellBehaved)
        }
    }

    @Test(arguments: ["[]", "[1,2]", #"["a"]"#, "[[1]]", "["]) func `any other array is one record`(text: String) {
        #expect(frame(text, .auto).texts == [text])
        #expect(frame("[" + Self.elements[0] + "]", .ndjson).texts == ["[" + Self.elements[0] + "]"])
    }

    /// RFC 8259, section 5: elements are values of any kind, and there is a comma between two.
    @Test(arguments: [
        (#"[{},5,null,"x,]",[{"a":1},[2]],{"z":1}]"#, ["{}", "5", "null", #""x,]""#, #"[{"a":1},[2]]"#, #"{"z":1}"#]),
        ("[{} , 5 ]\n", ["{}", "5"]), ("[{}\n,5\n,\n\"x\"\n]", ["{}", "5", #""x""#]),
        // What should not be there.
        ("[{},", ["{}", ","]), ("[{},,{}]", ["{}", ",", "{}"]), ("[{},]", ["{}", ","]), ("[{}]]", ["{}", "]"]),
        ("[{}],[{}]", ["{}", ",", "{}"]), ("[{},\n\n", ["{}", ","]),
        // After something that is not a value, the next record is the next object.
        ("[{},]]]]]", ["{}", ",", "]"]), ("[{}]]]\n]]\n,,{\"a\":1},{}]]", ["{}", "]", "{\"a\":1}", "{}", "]"]),
        ("[{},,,,,{},x,5,x,{}]", ["{}", ",", "{}", "x", "{}"]), ("[{}]}}[{}]", ["{}", "}}", "{}"]),
        ("[{},:[],[1]\n{},5]", ["{}", ":", "{}", "5"]),
    ]) func `each element is a record, and so is what is between them in vain`(text: String, records: [String]) {
        for pieces in [[], byteByByte(Array(text.utf8))] {
            let framed = frame(text, .auto, pieces: pieces)
            #expect(framed.texts == records, "\(pieces.count) pieces")
            #expect(framed.isWellBehaved)
        }
    }

    @Test func `blanks after a comma are not kept without end`() {
        let text = "[{}," + String(repeating: " ", count: 500) + "{}]"
        for pieces in [[], byteByByte(Array(text.utf8))] {
            let framed = frame(text, .array, limit: 50, pieces: pieces)
            #expect(framed.texts == ["{}", "{}"])
            if !pieces.isEmpty { #expect(framed.mostKept <= 60) }
        }
    }

    @Test func `a broken element affects itself alone`() {
        let text = "[\n{\"a\":1},\n{\"b\":\n{\"c\":3}\n]"
        #expect(frame(text, .auto).texts.first == "{\"a\":1}")
    }

    /// A run may stop after any frame, and another continue there. Inside a value that is dropped it looks at what was before; see
    /// `ChunkCutter`.
    @Test(arguments: [
        #"[{"a":1}, {"b":2}]"#, #"[{"a":1}]]]] {"b":2}"#, #"[{"a":1},]] ] {"b":2}]"#, #"{"a":1}]] [{"b":2}][]"#,
        #"[{"a":1}],{"b":2}"#, #"[[{"a":1}],[{"b":2}]"#, #"[ [], 5, {"a":1}] ] x {"b":2}]"#,
    ])
    func `an array is continued after any frame as if it had not been left`(text: String) {
        let bytes = Array(text.utf8)
        /// The records from an offset on, each with its place.
        func records(
            _ framer: inout Framer, from start: Int, _ didFrame: (Int, Framer) -> Void = { _, _ in }
        ) -> [String] {
            var (found, offset) = ([String](), start)
            while true {
                let frame = bytes.withUnsafeBytes {
                    framer.next(in: UnsafeRawBufferPointer(rebasing: $0[offset...]), isEnd: true)
                }
                switch frame {
                case .record(let range, let consumed):
                    let record = bytes[offset + range.lowerBound..<offset + range.upperBound]
                    found.append("\(offset + range.lowerBound) \(String(decoding: record, as: UTF8.self))")
                    offset += consumed
                case .skip(let consumed), .tooLong(_, let consumed): offset += consumed
                case .needsMore, .end: return found
                }
                didFrame(offset, framer)
            }
        }
        var stops: [(offset: Int, standing: FramerStanding)] = []
        var framer = Framer(.array, maximumRecordBytes: 1000)
        let whole = records(&framer, from: 0) { stops.append(($0, $1.standing)) }
        #expect(whole.count > 1)
        for stop in stops where !stop.standing.isDropping {
            var next = Framer(.array, maximumRecordBytes: 1000)
            next.resume(stop.standing)
            let rest = whole.filter { Int($0.prefix { $0 != " " }) ?? 0 >= stop.offset }
            #expect(records(&next, from: stop.offset) == rest, "after \(stop.offset) bytes")
        }
    }
}
