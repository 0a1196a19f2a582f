import PushJSON
import TestSupport
import Testing

/// Owned values: reading, editing and writing.
struct JSONValueTests {
    private func text(_ value: JSONValue) -> String { String(decoding: value.text, as: UTF8.self) }

    private func failure(_ text: String) -> JSONError? {
        do throws(JSONError) {
            _ = try JSONValue(parsing: text)
            return nil
        } catch {
            return error
        }
    }

    @Test func `values of Swift become values of JSON`() {
        let (number, text, double) = (5, "a"[...], 1.5)
        let values: [JSONValue] = [
            JSONValue(number), JSONValue(UInt64.max), JSONValue(double), JSONValue(text),
            JSONValue([JSONValue(number)]),
        ]
        #expect(values == [5, .real(18_446_744_073_709_551_616), .real(1.5), "a", [5]])
    }

    @Test func `members keep their order, white space goes`() throws {
        let rows = [
            (" { \"b\" : 1 , \"a\" : [ 1 , { } , [ ] ] }\n", "{\"b\":1,\"a\":[1,{},[]]}"),
            ("[ true , false , null ]", "[true,false,null]"), ("\t\"x\"\r\n", "\"x\""), ("-12", "-12"), ("{}", "{}"),
            ("[1.50,1e2,-0]", "[1.5,100.0,0]"), ("9223372036854775807", "9223372036854775807"),
            ("{\"a\":\"x\\u0000\\u00e9\\/\\ud83d\\ude00\"}", "{\"a\":\"x\\u0000é/😀\"}"),
        ]
        for (written, expected) in rows { #expect(try text(JSONValue(parsing: written)) == expected, "\(written)") }
        #expect(try text(JSONValue(parsing: Array("[1, true]".utf8))) == "[1,true]")
    }

    @Test func `a real is read as the number that was written`() throws {
        for number: Double in [0.1, -1.5e-7, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 12_345_678.875] {
            #expect(try JSONValue(parsing: JSONValue.real(number).text) == .real(number))
        }
        #expect(text([.real(.infinity), .real(.nan), .real(-0.0)]) == "[null,null,-0.0]")
    }

    @Test(arguments: ["0.7", "0.1", "-2.5", "100.0", "1e+22", "5e-324"])
    func `a real has as few digits as it takes`(written: String) throws {
        #expect(try text(JSONValue(parsing: written)) == written)
    }

    @Test func `sorted text is indented by two spaces, with the members of every level in order`() throws {
        let sorted = """
            {
              "": [],
              "a": [
                1,
                {
                  "c": null,
                  "d": {}
                }
              ],
              "b": 1
            }
            """
        let value = try JSONValue(parsing: "{\"b\":1,\"a\":[1,{\"d\":{},\"c\":null}],\"\":[]}")
        #expect(String(decoding: value.sortedText, as: UTF8.self) == sorted)
    }

    @Test func `every text of the corpus becomes what it means`() throws {
        for file in Corpus.accept {
            let value = try JSONValue(parsing: file.bytes)
            let expected = ScanResult(file.bytes).value
            let copy = try #require(JSONValue(reading: file.bytes))
            for written in [value.text, value.sortedText, copy.text] {
                #expect(ScanResult(written).value == expected, "\(file.name)")
            }
            #expect(ScanResult(value.text).notes.isEmpty, "\(file.name)")
        }
        for file in Corpus.refuse { #expect(JSONValue(reading: file.bytes) == nil, "\(file.name)") }
        for file in Corpus.unrepresentable { #expect(JSONValue(reading: file.bytes) != nil, "\(file.name)") }
    }

    @Test func `of duplicate members the last value is kept, in the first place`() throws {
        let rows = [
            ("{\"a\":1,\"b\":0,\"a\":2}", "{\"a\":2,\"b\":0}"),
            ("[{\"a\":{\"b\":1},\"\\u0061\":{\"c\":2}}]", "[{\"a\":{\"c\":2}}]"),
            ("{\"\u{E9}\":1,\"e\u{301}\":2}", "{\"\u{E9}\":1,\"e\u{301}\":2}"),
        ]
        for (written, expected) in rows {
            #expect(try Array(text(JSONValue(parsing: written)).utf8) == Array(expected.utf8), "\(written)")
        }
    }

    @Test func `a failure says where and why`() {
        let rows: [(text: String, offsets: ClosedRange<Int>)] = [
            ("", 0...0), ("[1,]", 3...4), ("{\"a\" 1}", 5...6), ("[1,2,x]", 5...6), ("[\"é\",x]", 6...7),
        ]
        for (text, offsets) in rows {
            let failure = failure(text)
            #expect(failure?.message.isEmpty == false, "\(text)")
            // libjansson's offset may be after the invalid token.
            #expect(offsets.contains(failure?.offset ?? -1), "\(text)")
        }
        #expect(failure("")?.message == "the text is empty")
    }

    @Test func `what libjansson cannot hold is refused, or read as what comes nearest`() {
        for text in [
            "9223372036854775808", "-9223372036854775809", "[99999999999999999999]", "1e309", "-1e400",
            "{\"a\":1E+999}",
            "\"\\ud800\"", "\"\\udc00\"", "\"\\ud800x\"", "\"\\ud800\\u0041\"", "\"\\udc00\\ud800\"", "{\"\\ud800\":1}",
            "{\"\\u0000\":1}", "{\"a\\u0000b\":1}",
        ] {
            #expect(JanssonAnswer(Array(text.utf8)) == .unrepresentable, "\(text)")
        }
        let read = JSONValue(reading: Array("[1e309,9223372036854775808,\"\\ud800\"]".utf8))
        #expect(read == [.null, .real(0x1p63), "\u{FFFD}"])
    }

    @Test func `a NUL byte is never passed over`() {
        // Each text has one byte after a JSON text, or one byte too many inside it.
        for text in [
            "1\u{0}", "true\u{0}", "null\u{0}\u{0}", "[1\u{0}]", "{\"a\":1\u{0}}", "[]\u{0}", "\"a\"\u{0}",
            "\"a\u{0}b\"", "\u{0}",
        ] {
            let place = Array(text.utf8).firstIndex(of: 0)
            #expect(failure(text) == JSONError("NUL byte", offset: place), "\(readable(text.utf8))")
        }
    }

    @Test func `a value that was scanned is read in place`() throws {
        try withRoot("{\"a\":{\"b\":[1,\"\\u00e9\"]},\"c\":3}") { root in
            for (pointer, expected) in [("/a", "{\"b\":[1,\"é\"]}"), ("/a/b/1", "\"é\""), ("/c", "3")] {
                let view = try #require(root[pointer: pointer])
                #expect(try text(JSONValue(parsing: view)) == expected, "\(pointer)")
            }
        }
    }

    @Test func `values are made from Swift's`() {
        let rows: [(JSONValue, String)] = [
            ("", "\"\""), ("a\"b\\\n\u{0}é😀", "\"a\\\"b\\\\\\n\\u0000é😀\""),
            (.integer(.min), "-9223372036854775808"),
            (0, "0"), (true, "true"), (["a", 1, false, []], "[\"a\",1,false,[]]"), (.object([]), "{}"),
            (.members(["a": nil, "b": .null, "c": ["d"]]), "{\"b\":null,\"c\":[\"d\"]}"),
        ]
        for (value, expected) in rows { #expect(text(value) == expected) }
    }

    @Test func `parts are read by their names`() throws {
        let value = try JSONValue(parsing: "{\"a\":{\"b\":\"x\"},\"n\":-7,\"r\":1.0,\"t\":true,\"l\":[1],\"\":\"z\"}")
        #expect(value[["a", "b"]]?.string == "x")
        #expect(value[["a", "b", "c"]] == nil)
        #expect(value[""]?.string == "z")
        #expect(value["n"]?.integer == -7)
        #expect(value["r"]?.integer == nil && value["a"]?.integer == nil && value["n"]?.string == nil)
        #expect(value["t"]?.isTrue == true && value["n"]?.isTrue == false)
        #expect(value["l"]?.elements == [1] && value["a"]?.elements == [])
        #expect(value.isObject && value["a"]?.isObject == true && value["l"]?.isObject == false)
        #expect(value["missing"] == nil && value["l"]?["0"] == nil)
    }

    @Test func `a member is added, replaced in its place, and removed`() throws {
        var value = try JSONValue(parsing: "{\"a\":1,\"b\":{\"c\":2},\"d\":3}")
        value["a"] = "x"
        value["b"]?["e"] = [true]
        value["d"] = nil
        value["~/"] = .object([])
        value["missing"] = nil
        value["missing"]?["x"] = 1
        value["a"]?["x"] = 1
        #expect(text(value) == "{\"a\":\"x\",\"b\":{\"c\":2,\"e\":[true]},\"~/\":{}}")
    }

    @Test func `a value holds what it was set to`() throws {
        var generator = SeededGenerator(seed: 6902)
        var value = JSONValue.object([])
        var expected: [String: JSONValue] = [:]
        for _ in 0..<500 {
            let name = (0..<generator.below(4)).map { _ in generator.pick(["a", "b", "~", "/", "é", "\"", "\n", "0"]) }
                .joined()
            expected[name] = generator.below(3) == 0 ? nil : .string("\(generator.next())\u{0}\(name)")
            value[name] = expected[name]
            #expect(value[name] == expected[name])
        }
        let read = try JSONValue(parsing: value.text)
        #expect(read == value)
        for (name, text) in expected { #expect(read[name] == text, "\(name)") }
    }
}
