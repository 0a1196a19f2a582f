import PushJSON
import TestSupport
import Testing

struct ViewTests {
    @Test func `every kind of value is told apart`() throws {
        let rows: [(text: String, kind: JSONTape.Kind)] = [
            ("null", .null), ("true", .true), ("false", .false), ("0", .number), ("-1.5e3", .number),
            ("\"\"", .string), ("\"true\"", .string), ("[]", .array), ("[1]", .array), ("{}", .object),
            ("{\"a\":1}", .object),
        ]
        for (text, kind) in rows {
            try withRoot(text) { root in
                #expect(root.kind == kind, "\(text)")
                #expect(root.isObject == (kind == .object), "\(text)")
                #expect(root.isString == (kind == .string), "\(text)")
                #expect((root.string != nil) == (kind == .string), "\(text)")
                #expect((root.int64 == nil) == (text != "0"), "\(text)")
                #expect((root.double != nil) == (kind == .number), "\(text)")
            }
        }
    }

    @Test func `members come in the order of the text, with their names`() throws {
        let text = "{\"b\":1,\"a\":[2,{\"x\":3}],\"\":{},\"c\\n\":\"é\",\"b\":null}"
        try withRoot(text) { root in
            var names: [String] = []
            var texts: [String] = []
            var members = root.members
            while let (key, value) = members.next() {
                names.append(key.string)
                texts.append(value.text.string)
            }
            #expect(names == ["b", "a", "", "c\n", "b"])
            #expect(texts == ["1", "[2,{\"x\":3}]", "{}", "\"é\"", "null"])
            let isAtEnd = members.next() == nil
            #expect(isAtEnd)
        }
    }

    @Test func `elements come in the order of the text`() throws {
        try withRoot("[1,[2,[3]],{\"a\":[4]},\"x\",[]]") { root in
            var texts: [String] = []
            var elements = root.elements
            while let element = elements.next() { texts.append(element.text.string) }
            #expect(texts == ["1", "[2,[3]]", "{\"a\":[4]}", "\"x\"", "[]"])
            let isAtEnd = elements.next() == nil
            #expect(isAtEnd)
        }
    }

    @Test func `other kinds have neither members nor elements`() throws {
        for text in ["null", "true", "1", "\"a\"", "[]", "[1,2]", "[{\"a\":1}]"] {
            try withRoot("[\(text),9]") { root in
                let value = try #require(root[pointer: "/0"])
                var members = value.members
                let hasNone = members.next() == nil
                #expect(hasNone, "\(text)")
            }
        }
        for text in ["null", "true", "1", "\"a\"", "{}", "{\"a\":[1]}"] {
            try withRoot("[\(text),9]") { root in
                let value = try #require(root[pointer: "/0"])
                var elements = value.elements
                let hasNone = elements.next() == nil
                #expect(hasNone, "\(text)")
            }
        }
    }

    @Test func `of duplicate names the last one counts`() throws {
        try withRoot("{\"a\":1,\"b\":2,\"a\":3,\"\\u0061\":4,\"b\":{\"a\":5}}") { root in
            #expect(root["a"]?.int64 == 4)
            #expect(root[named: "a"]?.int64 == 4)
            #expect(root[pointer: "/a"]?.int64 == 4)
            #expect(root[pointer: "/b/a"]?.int64 == 5)
        }
    }

    @Test func `a member is found by its name and no other`() throws {
        let text = "{\"aps\":1,\"ap\":2,\"apss\":3,\"\":4,\"APS\":5,\"n\\u00e9\":6,\"日\":7,\"a\\/b\":8}"
        try withRoot(text) { root in
            #expect(root["aps"]?.int64 == 1)
            #expect(root["ap"]?.int64 == 2)
            #expect(root["apss"]?.int64 == 3)
            #expect(root[""]?.int64 == 4)
            #expect(root["APS"]?.int64 == 5)
            #expect(root["né"]?.int64 == 6)
            #expect(root["日"]?.int64 == 7)
            #expect(root["a/b"]?.int64 == 8)
            #expect(root["a"] == nil)
            #expect(root["a\\/b"] == nil)
            #expect(root[named: "ne"] == nil)
            #expect(root[named: "apss".dropLast()]?.int64 == 1)
            #expect(root["aps"]?["aps"] == nil)
        }
        try withRoot("[\"a\"]") { root in
            #expect(root["a"] == nil)
            #expect(root[named: "a"] == nil)
        }
    }

    @Test func `a member is found by a name out of another text`() throws {
        try withRoot("[\"a\\u0062\",\"ab\",\"\",\"b\",\"\\u00e9\"]") { names in
            try withRoot("{\"ab\":1,\"\":2,\"\\u0061b\":3,\"é\":4}") { root in
                let values: [Int64?] = [3, 3, 2, nil, 4]
                for (position, value) in values.enumerated() {
                    let name = try #require(names[pointer: "/\(position)"]?.string)
                    #expect(root[name]?.int64 == value, "\(name.raw.string)")
                    #expect(names[name] == nil)
                }
            }
        }
    }

    @Test func `names are compared as they are, not as they look`() throws {
        // The same letter, precomposed and as e with a combining accent: two names in JSON, equal strings in Swift.
        try withRoot("{\"\\u00e9\":1,\"e\\u0301\":2}") { root in
            #expect(root["\u{E9}"]?.int64 == 1)
            #expect(root[named: "\u{E9}"]?.int64 == 1)
            #expect(root[named: "e\u{301}"]?.int64 == 2)
            #expect(root[pointer: "/\u{E9}"]?.int64 == 1)
        }
        try withRoot("{\"e\\u0301\":2}") { root in #expect(root[named: "\u{E9}"] == nil) }
    }

    @Test func `one is one however it is written`() throws {
        for text in ["1", "1.0", "1e0", "1E+0", "1.000", "10e-1", "0.1e1", "100E-2", "0.01e+2"] {
            try withRoot(text) { root in #expect(root.isOne, "\(text)") }
        }
        let others = [
            "true", "\"1\"", "0", "-1", "2", "10", "11", "1.5", "1e1", "0.1", "1e400", "-1.0", "null", "[1]",
            "{\"1\":1}",
            "\"\"", "18446744073709551617",
        ]
        for text in others {
            try withRoot(text) { root in #expect(!root.isOne, "\(text)") }
        }
    }
}

struct PointerTests {
    @Test func `the examples of RFC 6901 lead where it says`() throws {
        let text = """
            {"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"e^f":3,"g|h":4,"i\\\\j":5,"k\\"l":6," ":7,"m~n":8}
            """
        let rows: [(pointer: String, text: String)] = [
            ("/foo", "[\"bar\",\"baz\"]"), ("/foo/0", "\"bar\""), ("/", "0"), ("/a~1b", "1"), ("/c%d", "2"),
            ("/e^f", "3"), ("/g|h", "4"), ("/i\\j", "5"), ("/k\"l", "6"), ("/ ", "7"), ("/m~0n", "8"), ("", text),
        ]
        try withRoot(text) { root in
            for (pointer, text) in rows { #expect(root[pointer: pointer]?.text.string == text, "\(pointer)") }
        }
    }

    @Test func `an escaped tilde does not begin another escape`() throws {
        try withRoot("{\"~1\":1,\"/\":2,\"~0\":3,\"~~//\":4}") { root in
            #expect(root[pointer: "/~01"]?.int64 == 1)
            #expect(root[pointer: "/~1"]?.int64 == 2)
            #expect(root[pointer: "/~00"]?.int64 == 3)
            #expect(root[pointer: "/~0~0~1~1"]?.int64 == 4)
        }
    }

    @Test func `an index has no sign and no leading zero`() throws {
        try withRoot("{\"a\":[7,8],\"0\":[],\"-0\":1}") { root in
            #expect(root[pointer: "/a/0"]?.int64 == 7)
            #expect(root[pointer: "/a/1"]?.int64 == 8)
            for index in [
                "2", "-1", "+1", "01", "00", "-0", "-", "", " 1", "1.0", "1e0", "a", "9999999999999999999999",
            ] {
                #expect(root[pointer: "/a/\(index)"] == nil, "\(index)")
            }
            #expect(root[pointer: "/-0"]?.int64 == 1)
        }
    }

    @Test func `an index far beyond the end is looked for no longer than the array is`() async {
        // Counting up to the index would take years, so the limit ends a separate process.
        await #expect(processExitsWith: .success) {
            limitProcessorTime(toSeconds: 60)
            try withRoot("[1,2]") { root in
                let isMissing = root[pointer: "/9223372036854775807"] == nil
                precondition(isMissing)
            }
        }
    }

    @Test func `what is not a pointer leads nowhere`() throws {
        try withRoot("{\"a\":1,\"a2\":2,\"\":3}") { root in
            for pointer in ["a", "a/", "#/a", " /a", "~1a"] {
                #expect(JSONPointer.tokens(pointer) == nil, "\(pointer)")
                #expect(root[pointer: pointer] == nil, "\(pointer)")
            }
            // A tilde must be followed by 0 or 1.
            for pointer in ["/a~", "/a~2", "/~", "/~~1"] {
                #expect(JSONPointer.tokens(pointer) == nil, "\(pointer)")
                #expect(root[pointer: pointer] == nil, "\(pointer)")
            }
        }
    }

    @Test func `a pointer into a value that holds none leads nowhere`() throws {
        try withRoot("{\"a\":1,\"b\":\"x\",\"c\":null,\"d\":[]}") { root in
            for pointer in ["/a/0", "/b/0", "/b/x", "/c/", "/d/0", "/e", "/e/f"] {
                #expect(root[pointer: pointer] == nil, "\(pointer)")
            }
        }
    }

    @Test func `tokens undo what escape does`() {
        var generator = SeededGenerator(seed: 6901)
        for _ in 0..<500 {
            let names = (0..<generator.below(4)).map { _ in
                (0..<generator.below(6)).map { _ in generator.pick(["~", "/", "0", "1", "a", "é", "\u{301}", "\r\n"]) }
                    .joined()
            }
            let pointer = names.map { "/" + JSONPointer.escape($0) }.joined()
            let tokens = JSONPointer.tokens(pointer)
            #expect(tokens.map { $0.map { Array($0.utf8) } } == names.map { Array($0.utf8) }, "\(pointer)")
        }
        #expect(JSONPointer.escape("a~/b~1") == "a~0~1b~01")
        #expect(JSONPointer.tokens("") == [])
        #expect(JSONPointer.tokens("/") == [""])
        #expect(JSONPointer.tokens("//a/") == ["", "a", ""])
    }
}
