import PushJSON
import TestSupport
import Testing

struct TapeTests {
    @Test func `the tape lies as its documentation draws it`() throws {
        let text = Array("{\"aps\":{\"badge\":3},\"id\":\"x\"}".utf8)
        try scanning(text) { tape, bytes, fault in
            #expect(fault == nil)
            let count = tape.count
            #expect(count == 7)
            let found = tape.root(of: bytes)
            let root = try #require(found)
            #expect(root.kind == .object && root.index == 0 && root.entry.next == 7)

            let aps = try #require(root["aps"])
            #expect(aps.kind == .object && aps.index == 2 && aps.entry.next == 5)
            let badge = try #require(aps["badge"])
            #expect(badge.kind == .number && badge.index == 4 && badge.entry.next == 5)
            let id = try #require(root["id"])
            #expect(id.kind == .string && id.index == 6 && id.entry.next == 7)

            // Keys come before their values; strings and keys begin after the quote.
            let offsets = (0..<7).map { tape.offset(of: $0) }
            #expect(offsets == [0, 2, 7, 9, 16, 20, 25])
        }
    }

    @Test func `a fresh tape has no root`() {
        let tape = JSONTape()
        let root = Array("1".utf8).withUnsafeBytes { tape.root(of: $0) == nil }
        #expect(root)
    }

    @Test func `the text of every value is its exact bytes`() throws {
        let text = " { \"a\" : [ 1.50 , \"x\\n\" , { } , [ ] ] , \"b\" : true , \"c\":{\"d\" : null}\n, \"e\":\"日\" } "
        try withRoot(text) { root in
            let expected: [(pointer: String, text: String)] = [
                ("/a", "[ 1.50 , \"x\\n\" , { } , [ ] ]"),
                ("/a/0", "1.50"),
                ("/a/1", "\"x\\n\""),
                ("/a/2", "{ }"),
                ("/a/3", "[ ]"),
                ("/b", "true"),
                ("/c", "{\"d\" : null}"),
                ("/c/d", "null"),
                ("/e", "\"日\""),
                ("", text.trimmed),
            ]
            for (pointer, words) in expected {
                let view = try #require(root[pointer: pointer], "\(pointer)")
                #expect(view.text.string == words, "\(pointer)")
                #expect(view.offset == Array(text.utf8).firstRange(of: Array(words.utf8))?.lowerBound, "\(pointer)")
            }
        }
    }

    @Test func `the text of every value in the corpus means the same by itself`() {
        for file in Corpus.accept where file.bytes.count < 5000 && !file.name.contains("depth-") {
            scanning(file.bytes) { tape, text, _ in
                guard let root = tape.root(of: text) else { return }
                for view in Self.values(in: root) {
                    let span = Array(view.text.bytes)
                    #expect(Array(text[view.offset..<view.offset + span.count]) == span, "\(file.name)")
                    #expect(ScanResult(span).value == ScannedValue(view), "\(file.name): \(readable(span))")
                }
            }
        }
    }

    /// The value and all values inside it.
    private static func values(in view: JSONView) -> [JSONView] {
        var all = [view]
        var members = view.members
        while let (_, value) = members.next() { all += values(in: value) }
        var elements = view.elements
        while let element = elements.next() { all += values(in: element) }
        return all
    }

    @Test func `a note's entry leads to its pointer`() {
        let rows: [(text: String, kind: JSONTape.Note.Kind, pointer: String)] = [
            ("1e400", .numberOutOfRange, ""),
            ("[0,[1,99999999999999999999]]", .numberOutOfRange, "/1/1"),
            ("{\"a\":{\"b\":[{},{\"c\":-1e999}]}}", .numberOutOfRange, "/a/b/1/c"),
            ("{\"a\":1,\"b\":{\"a\":2,\"a\":3}}", .duplicateKey, "/b/a"),
            ("[{\"x\":[]},{\"y\":{},\"y\":[1]}]", .duplicateKey, "/1/y"),
            ("{\"a/b\":{\"m~n\":\"\\ud800\"}}", .loneSurrogate, "/a~1b/m~0n"),
            ("{\"~1\":[\"\\udfff\"]}", .loneSurrogate, "/~01/0"),
            ("{\"\":{\"\":1e400}}", .numberOutOfRange, "//"),
            ("{\"a\\u002Fb\":{\"é\":1e400}}", .numberOutOfRange, "/a~1b/é"),
            ("{\"a\":{\"b\\u0000\":1}}", .nulInKey, "/a/b\u{0}"),
            ("{\"a\":1,\"b\":{\"\\udc00x\":1}}", .loneSurrogate, "/b/\u{FFFD}x"),
        ]
        for (text, kind, pointer) in rows {
            scanning(Array(text.utf8)) { tape, bytes, fault in
                let notes = tape.notes
                #expect(fault == nil, "\(text)")
                #expect(notes.map(\.kind) == [kind], "\(text)")
                let found = notes.first.map { tape.pointer(to: $0.entry, in: bytes) }
                #expect(found == pointer, "\(text)")
            }
        }
    }

    @Test func `a value's pointer leads back to it`() throws {
        let text = "{\"a\":[1,{\"b/c\":[[],[{}]],\"~\":2}],\"\":{\"\":3},\"d\":{\"0\":[4]}}"
        try scanning(Array(text.utf8)) { tape, bytes, _ in
            let found = tape.root(of: bytes)
            let root = try #require(found)
            for view in Self.values(in: root) {
                let pointer = tape.pointer(to: view.index, in: bytes)
                #expect(root[pointer: pointer]?.index == view.index, "\(pointer)")
            }
        }
    }

    @Test func `one scanner and tape serve texts of any sizes in any order`() {
        var generator = SeededGenerator(seed: 7)
        var scanner = JSONScanner()
        var tape = JSONTape()
        var sizes = Set<Int>()
        for round in 0..<Effort.rounds(400, fast: 150) {
            // Alternates between small and large, up to some 40,000 entries.
            let count = generator.below(round % 3 == 0 ? 20_000 : 40)
            let elements = (0..<count).map { _ in
                generator.pick(["1", "\"ab\"", "[]", "{\"k\":0,\"k\":1e999}", "null"])
            }
            let bytes = Array("[\(elements.joined(separator: ","))]".utf8)
            sizes.insert(bytes.count)
            let result = bytes.withUnsafeBytes { text in
                let fault = scanner.scan(text, into: &tape)
                return (fault, tape.notes, Self.kinds(tape.root(of: text)))
            }
            let expected = scanning(bytes) { tape, text, fault in (fault, tape.notes, Self.kinds(tape.root(of: text))) }
            #expect(result == expected, "round \(round) of \(bytes.count) bytes")
            #expect(result.2.count == count)
        }
        #expect(sizes.count > 100)
    }

    private static func kinds(_ array: JSONView?) -> [JSONTape.Kind] {
        var kinds: [JSONTape.Kind] = []
        var elements = array?.elements
        while let element = elements?.next() { kinds.append(element.kind) }
        return kinds
    }
}

extension String {
    fileprivate var trimmed: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
