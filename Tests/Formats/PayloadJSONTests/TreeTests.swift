import PayloadJSON
import Testing

/// Parsing and writing with libjansson.
struct TreeTests {
    private static func failure(_ text: String) -> JSONTree.Failure? {
        Array(text.utf8).withUnsafeBytes { bytes in
            do throws(JSONTree.Failure) {
                _ = try JSONTree(parsing: bytes)
                return nil
            } catch {
                return error
            }
        }
    }

    @Test func `a tree is parsed from a string, or from any bytes`() throws {
        #expect(try JSONTree(parsing: "[1,\"é\"]").text() == "[1,\"é\"]")
        #expect(try JSONTree(parsing: Array("[1, true]".utf8)).text() == "[1,true]")
        #expect(throws: JSONTree.Failure(kind: .syntax, message: "the text is empty", offset: 0)) {
            _ = try JSONTree(parsing: "")
        }
    }

    @Test func `compact keeps the order and drops white space`() throws {
        let rows: [(text: String, compact: String)] = [
            (" { \"b\" : 1 , \"a\" : [ 1 , { } , [ ] ] }\n", "{\"b\":1,\"a\":[1,{},[]]}"),
            ("[ true , false , null ]", "[true,false,null]"),
            ("\t\"x\"\r\n", "\"x\""), ("7", "7"), ("-12", "-12"), ("null", "null"), ("{}", "{}"), ("[]", "[]"),
            ("\"\"", "\"\""),
            ("9223372036854775807", "9223372036854775807"), ("-9223372036854775808", "-9223372036854775808"),
        ]
        for (text, compact) in rows { #expect(try tree(text).text(.compact) == compact, "\(text)") }
    }

    @Test func `canonical sorts members on every level`() throws {
        let text = "{\"b\":{\"z\":1,\"y\":2},\"a\":[{\"d\":3,\"c\":4}],\"aa\":0,\"\":5}"
        let canonical = "{\"\":5,\"a\":[{\"c\":4,\"d\":3}],\"aa\":0,\"b\":{\"y\":2,\"z\":1}}"
        #expect(try tree(text).text(.canonical) == canonical)
        #expect(try tree(canonical).text(.canonical) == canonical)
    }

    @Test func `equal values have equal canonical bytes`() throws {
        let rows = [
            ("{\"a\":1,\"b\":\"\\u00e9\"}", " { \"b\" : \"é\" , \"a\" : 1 } "),
            ("{\"a\":1,\"a\":2}", "{\"\\u0061\":2}"),
            ("[1.50,1e2]", "[1.5,100.0]"),
            ("\"\\/\"", "\"/\""),
        ]
        for (left, right) in rows {
            #expect(try tree(left).text(.canonical) == tree(right).text(.canonical), "\(left)")
        }
    }

    @Test func `pretty indents by two spaces`() throws {
        let pretty = """
            {
              "b": 1,
              "a": [
                1,
                {
                  "c": null
                }
              ]
            }
            """
        #expect(try tree("{\"b\":1,\"a\":[1,{\"c\":null}]}").text(.pretty) == pretty)
    }

    @Test func `sorted indents as well, and sorts the members of every level`() throws {
        let sorted = """
            {
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
        #expect(try tree("{\"b\":1,\"a\":[1,{\"d\":{},\"c\":null}]}").text(.sorted) == sorted)
    }

    @Test func `every form of a corpus case means the same`() throws {
        for file in Corpus.accept {
            let expected = ScanResult(file.bytes).value
            for form in [JSONTree.Form.compact, .canonical, .pretty, .sorted] {
                let written: [UInt8] = try file.bytes.withUnsafeBytes { text in
                    let tree = try JSONTree(parsing: text)
                    return try tree.serialized(form)
                }
                let again = ScanResult(written)
                #expect(again.value == expected, "\(file.name), \(form)")
                #expect(again.notes.isEmpty, "\(file.name), \(form)")
            }
        }
    }

    @Test func `of duplicate keys the last one is kept`() throws {
        #expect(try tree("{\"a\":1,\"a\":2}").text() == "{\"a\":2}")
        #expect(try tree("{\"a\":{\"b\":1},\"a\":{\"c\":2}}").text() == "{\"a\":{\"c\":2}}")
    }

    @Test func `malformed text is refused as syntax`() {
        for text in [
            "", " ", "{", "[1,]", "{\"a\":1,}", "tru", "01", "\"\\x\"", "\"a", "1 2", "'a'", "{a:1}", "[1]]", "nan",
        ] {
            #expect(Self.failure(text)?.kind == .syntax, "\(text)")
        }
    }

    @Test func `a failure says where and why`() {
        let rows: [(text: String, offsets: ClosedRange<Int>)] = [
            ("", 0...0), ("[1,]", 3...4), ("{\"a\" 1}", 5...6), ("[1,2,x]", 5...6), ("[\"é\",x]", 6...7),
        ]
        for (text, offsets) in rows {
            let failure = Self.failure(text)
            #expect(failure?.message.isEmpty == false, "\(text)")
            // libjansson's offset may be after the invalid token.
            #expect(failure.map { offsets.contains($0.offset) } == true, "\(text): \(failure?.offset ?? -1)")
        }
    }

    @Test func `what libjansson cannot hold is refused as such`() {
        let texts = [
            "9223372036854775808", "-9223372036854775809", "[99999999999999999999]", "1e309", "-1e400",
            "{\"a\":1E+999}",
            "\"\\ud800\"", "\"\\udc00\"", "\"\\ud800x\"", "\"\\ud800\\u0041\"", "\"\\udc00\\ud800\"", "{\"\\ud800\":1}",
            "{\"\\u0000\":1}", "{\"a\\u0000b\":1}",
        ]
        for text in texts { #expect(Self.failure(text)?.kind == .unrepresentable, "\(text)") }
    }

    @Test func `a NUL byte is never passed over`() {
        // Each text has one byte after a JSON text, or one byte too many inside it.
        for text in [
            "1\u{0}", "true\u{0}", "null\u{0}\u{0}", "[1\u{0}]", "{\"a\":1\u{0}}", "[]\u{0}", "\"a\"\u{0}",
            "\"a\u{0}b\"",
        ] {
            let failure = Self.failure(text)
            #expect(failure?.kind == .syntax, "\(readable(text.utf8))")
            #expect(failure?.offset == Array(text.utf8).firstIndex(of: 0), "\(readable(text.utf8))")
        }
        #expect(Self.failure("\u{0}")?.kind == .syntax)
    }

    @Test func `an escaped NUL in a string is kept`() throws {
        let tree = try tree("{\"a\":\"x\\u0000y\"}")
        #expect(tree.string(at: "/a") == "x\u{0}y")
        #expect(try tree.text() == "{\"a\":\"x\\u0000y\"}")
    }

    @Test func `a value that was scanned becomes a tree of its own`() throws {
        try withRoot("{\"a\":{\"b\":[1,\"\\u00e9\"]},\"c\":3}") { root in
            for (pointer, text) in [
                ("/a", "{\"b\":[1,\"é\"]}"), ("/a/b", "[1,\"é\"]"), ("/a/b/1", "\"é\""), ("/c", "3"),
            ] {
                let view = try #require(root[pointer: pointer])
                let tree = try JSONTree(view)
                #expect(try tree.text() == text, "\(pointer)")
            }
        }
    }

    @Test func `a tree outlives the text that it was parsed from`() throws {
        var bytes = Array("{\"a\":\"text\"}".utf8)
        let tree: JSONTree
        do {
            let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
            defer { copy.deallocate() }
            copy.copyBytes(from: bytes)
            tree = try JSONTree(parsing: UnsafeRawBufferPointer(copy))
            for index in copy.indices { copy[index] = 0xAA }
        }
        bytes.removeAll()
        #expect(try tree.text() == "{\"a\":\"text\"}")
    }
}
