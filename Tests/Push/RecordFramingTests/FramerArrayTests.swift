import RecordFraming
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

    /// RFC 8259, section 5: elements are values, with a comma between two of them.
    @Test func `what is no element is a record of its own`() {
        for (text, records) in [
            (#"[{"a":1},5,null,"x,]",[{"b":2}],{}]"#, [#"{"a":1}"#, "5", "null", #""x,]""#, #"[{"b":2}]"#, "{}"]),
            ("[{},,{}]", ["{}", ",", "{}"]), ("[{},]", ["{}", "]"]), ("[{},", ["{}", ","]), ("[{},\n \n", ["{}", ","]),
            ("[{}]]", ["{}", "]"]), ("[{}],[{}]", ["{}", ",", "{}"]), ("[{}]\n[]\n[{},5]", ["{}", "{}", "5"]),
        ] {
            for pieces in [[], byteByByte(Array(text.utf8))] {
                let framed = frame(text, .auto, pieces: pieces)
                #expect(framed.texts == records, "\(text)")
                #expect(framed.isWellBehaved)
            }
        }
    }

    @Test func `a broken element affects itself alone`() {
        let text = "[\n{\"a\":1},\n{\"b\":\n{\"c\":3}\n]"
        #expect(frame(text, .auto).texts.first == "{\"a\":1}")
    }
}
