import PayloadJSON
import TestSupport
import Testing

/// Reading and changing a tree by JSON Pointer.
struct TreeEditingTests {
    /// The kind of failure that an edit of `text` throws; nil when it succeeds.
    private static func failure(
        _ text: String, _ edit: (inout JSONTree) throws(JSONTree.Failure) -> Void
    ) throws -> JSONTree.Failure.Kind? {
        var tree = try tree(text)
        let before = try tree.text()
        do throws(JSONTree.Failure) {
            try edit(&tree)
            return nil
        } catch {
            // An edit that fails changes nothing.
            let after = try tree.text()
            #expect(after == before)
            return error.kind
        }
    }

    @Test func `values are made from Swift's`() throws {
        #expect(try JSONTree("").text() == "\"\"")
        #expect(try JSONTree("a\"b\\\n\u{0}é😀").text() == "\"a\\\"b\\\\\\n\\u0000é😀\"")
        #expect(try JSONTree(Int64.max).text() == "9223372036854775807")
        #expect(try JSONTree(Int64.min).text() == "-9223372036854775808")
        #expect(try JSONTree(0).text() == "0")
        #expect(try JSONTree(true).text() == "true")
        #expect(try JSONTree(false).text() == "false")
        #expect(try JSONTree.object().text() == "{}")
    }

    @Test func `strings and integers are read by pointer`() throws {
        let tree = try tree(
            "{\"a\":[\"x\",{\"b/c\":\"y\",\"~\":-5}],\"\":\"z\",\"n\":7,\"r\":1.0,\"t\":true,\"e\":\"\"}")
        #expect(tree.string(at: "/a/0") == "x")
        #expect(tree.string(at: "/a/1/b~1c") == "y")
        #expect(tree.string(at: "/") == "z")
        #expect(tree.string(at: "/e") == "")
        #expect(tree.integer(at: "/a/1/~0") == -5)
        #expect(tree.integer(at: "/n") == 7)

        for pointer in ["", "/a", "/a/1", "/n", "/r", "/t", "/missing", "/a/2", "/a/0/x", "n", "/n/0"] {
            #expect(tree.string(at: pointer) == nil, "\(pointer)")
        }
        for pointer in ["", "/a", "/a/0", "/r", "/t", "/", "/missing", "/a/9", "/n/", "x"] {
            #expect(tree.integer(at: pointer) == nil, "\(pointer)")
        }
    }

    @Test func `a tree tells whether there is a value, null or not`() throws {
        let tree = try tree("{\"a\":[null],\"b/c\":{\"\":0}}")
        for pointer in ["", "/a", "/a/0", "/b~1c", "/b~1c/"] { #expect(tree.has(pointer) == true, "\(pointer)") }
        for pointer in ["/", "/a/1", "/a/00", "/b", "a", "/a~", "/b~1c/x"] {
            #expect(tree.has(pointer) == false, "\(pointer)")
        }
    }

    @Test func `the outermost value is read by the empty pointer`() throws {
        #expect(try tree("\"x\"").string(at: "") == "x")
        #expect(try tree("-9223372036854775808").integer(at: "") == .min)
    }

    @Test func `a member is made or overwritten, an element overwritten`() throws {
        var tree = try tree("{\"a\":[1,2,3],\"b\":{\"c\":4}}")
        try tree.set(JSONTree("new"), at: "/b/d")
        try tree.set(JSONTree(5), at: "/b/c")
        try tree.set(JSONTree(false), at: "/a/2")
        try tree.set(JSONTree.object(), at: "/a/0")
        try tree.set(JSONTree(6), at: "/a/0/x")
        try tree.set(JSONTree(7), at: "/~0~1")
        try tree.set(JSONTree(8), at: "/")
        #expect(try tree.text() == "{\"a\":[{\"x\":6},2,false],\"b\":{\"c\":5,\"d\":\"new\"},\"~/\":7,\"\":8}")
    }

    @Test func `an overwritten member stays in its place`() throws {
        var tree = try tree("{\"a\":1,\"b\":2,\"c\":3}")
        try tree.set(JSONTree("x"), at: "/a")
        #expect(try tree.text() == "{\"a\":\"x\",\"b\":2,\"c\":3}")
    }

    @Test func `a member or element is removed`() throws {
        var tree = try tree("{\"a\":[1,2,3],\"b\":{\"c\":4,\"~\":5},\"\":6}")
        try tree.remove(at: "/a/1")
        try tree.remove(at: "/b/~0")
        try tree.remove(at: "/")
        #expect(try tree.text() == "{\"a\":[1,3],\"b\":{\"c\":4}}")
        try tree.remove(at: "/a/1")
        try tree.remove(at: "/a/0")
        try tree.remove(at: "/b")
        #expect(try tree.text() == "{\"a\":[]}")
    }

    @Test func `nothing is set where there is no place`() throws {
        let text = "{\"a\":[1,2],\"b\":{\"c\":3},\"d\":\"x\"}"
        for pointer in [
            "", "a", "/a/2", "/a/-", "/a/x", "/a/", "/missing/x", "/a/0/x", "/d/0", "/b/c/d", "/b/c/", "/e\u{0}",
            "/\u{0}/x",
        ] {
            let kind = try Self.failure(text) { tree throws(JSONTree.Failure) in try tree.set(JSONTree(9), at: pointer)
            }
            #expect(kind == .noSuchPlace, "\(readable(pointer.utf8))")
        }
    }

    @Test func `nothing is removed where there is nothing`() throws {
        let text = "{\"a\":[1,2],\"b\":{\"c\":3},\"d\":\"x\"}"
        for pointer in [
            "", "a", "/x", "/a/2", "/a/-", "/a/x", "/a/", "/missing/x", "/a/0/x", "/d/0", "/b/d", "/b/c/d", "/e\u{0}",
        ] {
            let kind = try Self.failure(text) { tree throws(JSONTree.Failure) in try tree.remove(at: pointer) }
            #expect(kind == .noSuchPlace, "\(readable(pointer.utf8))")
        }
    }

    @Test func `an index has no sign and no leading zero`() throws {
        let text = "[[1,2],3]"
        for index in ["-1", "+1", "01", "00", "-0", "99999999999999999999"] {
            let tree = try tree(text)
            #expect(tree.integer(at: "/\(index)") == nil, "\(index)")
            let changed = try Self.failure(text) { tree throws(JSONTree.Failure) in
                try tree.set(JSONTree(9), at: "/\(index)")
            }
            #expect(changed == .noSuchPlace, "\(index)")
            let through = try Self.failure(text) { tree throws(JSONTree.Failure) in
                try tree.set(JSONTree(9), at: "/\(index)/0")
            }
            #expect(through == .noSuchPlace, "\(index)")
            let removed = try Self.failure(text) { tree throws(JSONTree.Failure) in try tree.remove(at: "/\(index)") }
            #expect(removed == .noSuchPlace, "\(index)")
        }
    }

    @Test func `a failure names its pointer`() throws {
        var tree = try tree("{}")
        var message = ""
        do throws(JSONTree.Failure) {
            try tree.remove(at: "/a/b~1c")
        } catch {
            message = error.message
        }
        #expect(message.contains("/a/b~1c"))
    }

    @Test func `a tree reads what it was set to`() throws {
        var generator = SeededGenerator(seed: 6902)
        var tree = try JSONTree.object()
        var expected: [String: String] = [:]
        for _ in 0..<500 {
            let name = (0..<generator.below(4)).map { _ in generator.pick(["a", "b", "~", "/", "é", "\"", "\n", "0"]) }
                .joined()
            let pointer = "/" + JSONPointer.escape(name)
            if generator.below(3) == 0, expected[name] != nil {
                try tree.remove(at: pointer)
                expected[name] = nil
            } else {
                let text = "\(generator.next())\u{0}\(name)"
                try tree.set(JSONTree(text), at: pointer)
                expected[name] = text
            }
            #expect(tree.string(at: pointer) == expected[name], "\(pointer)")
        }
        for (name, text) in expected { #expect(tree.string(at: "/" + JSONPointer.escape(name)) == text, "\(name)") }
        let scanned = ScanResult(try tree.serialized()).value
        let values = expected.map { (Array($0.key.utf8), JSONValue.string(Array($0.value.utf8))) }
        #expect(scanned == .object(Dictionary(uniqueKeysWithValues: values)))
    }
}

/// An edit that changes only the bytes of one value.
struct SpliceTests {
    private static let text =
        "{ \"aps\" : {\"alert\":\"caf\\u00e9\",  \"badge\":  7e0 },\r\n\"x\":[1 , 2.50],\"x\":\"\\ud800\" }\n"

    private static func splice(_ new: String, over pointer: String, in text: String = text) throws -> String {
        let replacement = try tree(new)
        return try scanning(Array(text.utf8)) { tape, bytes, fault in
            try #require(fault == nil)
            let root = tape.root(of: bytes)
            let view = try #require(root?[pointer: pointer])
            return String(decoding: try replacement.spliced(over: view, in: bytes), as: UTF8.self)
        }
    }

    @Test func `only the bytes of the value change`() throws {
        let rows: [(pointer: String, old: String, new: String)] = [
            ("/aps/alert", "\"caf\\u00e9\"", "\"x\""),
            ("/aps/badge", "7e0", "12345"),
            ("/aps", "{\"alert\":\"caf\\u00e9\",  \"badge\":  7e0 }", "{\"alert\":{}}"),
            // Of duplicate keys, the last one.
            ("/x", "\"\\ud800\"", "[null,true]"),
        ]
        for (pointer, old, new) in rows {
            #expect(try Self.splice(new, over: pointer) == Self.text.replacing(old, with: new), "\(pointer)")
        }
    }

    @Test func `the whole value may be replaced, white space around it stays`() throws {
        #expect(try Self.splice("[]", over: "", in: " \n{\"a\":1} ") == " \n[] ")
        #expect(try Self.splice("\"é\"", over: "", in: "1") == "\"é\"")
    }

    @Test func `an element may be replaced`() throws {
        #expect(try Self.splice("{ }", over: "/0", in: "[1 , 2.50]") == "[{} , 2.50]")
        #expect(try Self.splice("\"\"", over: "/1", in: "[1 , 2.50]") == "[1 , \"\"]")
        #expect(try Self.splice("0", over: "/1/0", in: "[\"\",[\"x\"]]") == "[\"\",[0]]")
    }
}
