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
}
