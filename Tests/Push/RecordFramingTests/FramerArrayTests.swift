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

    @Test func `a broken element affects itself alone`() {
        let text = "[\n{\"a\":1},\n{\"b\":\n{\"c\":3}\n]"
        #expect(frame(text, .auto).texts.first == "{\"a\":1}")
    }
}
