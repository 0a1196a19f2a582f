import PushJSON
import TestSupport
import Testing

struct DuplicateKeyTests {
    /// Offsets of the duplicates that are noted: of their first bytes after the quote.
    private static func duplicates(_ text: String) -> [Int] {
        scanning(Array(text.utf8)) { tape, _, fault in
            #expect(fault == nil, "\(text.prefix(200))")
            return tape.notes.filter { $0.kind == .duplicateKey }.map { tape.offset(of: $0.entry) }
        }
    }

    /// An object, and the offset of each name in its text.
    private static func object(_ rawNames: [String]) -> (text: String, offsets: [Int]) {
        var text = "{"
        var offsets: [Int] = []
        for name in rawNames {
            if !offsets.isEmpty { text += "," }
            offsets.append(text.utf8.count + 1)
            text += "\"\(name)\":0"
        }
        return (text + "}", offsets)
    }

    @Test func `a duplicate key is noted`() {
        #expect(Self.duplicates("{\"a\":1,\"a\":2}") == [8])
        #expect(Self.duplicates("{\"\":1,\"\":2}") == [7])
        #expect(Self.duplicates("{\"a\":1,\"b\":2,\"a\":3,\"b\":4,\"a\":5}") == [14, 20, 26])
        #expect(Self.duplicates("{\"a\":{\"a\":[{\"a\":1}]}}") == [])
        #expect(Self.duplicates("[{\"a\":1},{\"a\":2}]") == [])
        #expect(Self.duplicates("{\"a\":\"a\",\"b\":\"a\"}") == [])
        #expect(Self.duplicates("{\"a\":1,\"A\":2,\" a\":3,\"aa\":4,\"\":5}") == [])
    }

    @Test func `a duplicate key behind a nested value is noted`() {
        #expect(Self.duplicates("{\"a\":{\"b\":[1,{\"a\":2}]},\"a\":3}") == [24])
        #expect(Self.duplicates("{\"a\":[[],[]],\"b\":{},\"a\":{\"a\":{},\"a\":[]}}") == [21, 33])
    }

    @Test func `names are compared with names of their own object only`() {
        // After an escape in the first name the filter cannot rule out any name, so all earlier names are compared.
        for nested in [
            "[\"a\"]", "[\"a\",\"a\"]", "{\"a\":0}", "{\"b\":\"a\"}", "[{\"a\":0},{\"a\":\"a\"}]", "[[],\"a\"]",
        ] {
            let front = "{\"\\u0062\":\(nested),"
            #expect(Self.duplicates(front + "\"a\":1}") == [], "\(nested)")
            #expect(Self.duplicates(front + "\"c\":\(nested),\"a\":1}") == [], "\(nested)")
            let second = front.utf8.count + 7
            #expect(Self.duplicates(front + "\"a\":1,\"a\":2}") == [second], "\(nested)")
            #expect(Self.duplicates(front + "\"a\":1,\"\\u0061\":2}") == [second], "\(nested)")
        }
    }

    @Test func `any two members of an object of any size are compared`() {
        for count in [2, 3, 16, 31, 32, 33, 34, 64, 100] {
            let names = (0..<count).map { "name\($0)" }
            #expect(Self.duplicates(Self.object(names).text) == [], "\(count)")
            for (first, second) in [(0, 1), (0, count - 1), (count - 2, count - 1), (count / 2 - 1, count / 2)] {
                var twice = names
                twice[second] = names[first]
                let (text, offsets) = Self.object(twice)
                #expect(Self.duplicates(text) == [offsets[second]], "\(first) and \(second) of \(count)")
            }
        }
    }

    @Test func `a duplicate among 5,000 members is noted`() {
        var names = (0..<5000).map { "name\($0)" }
        #expect(Self.duplicates(Self.object(names).text) == [])
        names[4999] = names[0]
        names[20] = names[10]
        names[2500] = names[2499]
        let (text, offsets) = Self.object(names)
        #expect(Self.duplicates(text) == [20, 2500, 4999].map { offsets[$0] })
    }

    @Test func `escapes that spell the same name are noted`() {
        for (first, second) in [
            ("aps", "\\u0061ps"), ("\\u0061ps", "aps"), ("\\u0061ps", "a\\u0070s"), ("a/b", "a\\/b"), ("é", "\\u00e9"),
            ("\\u00E9", "\\u00e9"), ("😀", "\\ud83d\\ude00"), ("\\n", "\\u000a"), ("a\\u0000", "\\u0061\\u0000"),
        ] {
            for others in [0, 1, 29, 30, 31, 32, 98] {
                let (text, offsets) = Self.object([first] + (0..<others).map { "k\($0)" } + [second])
                #expect(Self.duplicates(text) == [offsets[others + 1]], "\(first), \(second), \(others) between")
            }
        }
    }

    @Test func `escapes that spell another name are not noted`() {
        for others in [0, 40] {
            let names = ["aps", "\\u0061pz", "\\\\u0061ps", "a\\\\ps", "\\u00e9", "e\\u0301"]
            let (text, _) = Self.object(names + (0..<others).map { "k\($0)" })
            #expect(Self.duplicates(text) == [], "\(others)")
        }
    }

    @Test func `names that share length and some letters are told apart`() {
        // Names that a filter may confuse: same first, middle and last letter, same length.
        for others in [0, 40] {
            let names = ["axbxc", "aybxc", "axbyc", "ayb_c", "a_b_c"] + (0..<others).map { "k\($0)" }
            #expect(Self.duplicates(Self.object(names).text) == [], "\(others)")
            let (text, offsets) = Self.object(names + ["axbyc"])
            #expect(Self.duplicates(text) == [offsets[names.count]], "\(others)")
        }
    }

    @Test func `of many duplicates the first are noted`() {
        for count in [17, 18, 32, 33, 34, 50, 1000] {
            let (text, offsets) = Self.object(Array(repeating: "a", count: count))
            #expect(Self.duplicates(text) == Array(offsets[1...16]), "\(count)")
        }
        let small = Array(repeating: "{\"a\":1,\"a\":2}", count: 20).joined(separator: ",")
        let offsets = Self.duplicates("[\(small)]")
        #expect(offsets == (0..<16).map { 9 + $0 * 14 })
    }

    @Test func `a large object in a large object keeps its own names`() {
        let inner = Self.object((0..<50).map { "k\($0)" } + ["k7"])
        let front = "{" + (0..<50).map { "\"k\($0)\":1," }.joined() + "\"x\":"
        let text = front + inner.text + ",\"k8\":2}"
        let prefix = front.utf8.count
        #expect(Self.duplicates(text) == [prefix + inner.offsets[50], text.utf8.count - 6])
    }

    @Test func `random names are noted exactly when they have occurred`() {
        var generator = SeededGenerator(seed: 33)
        let letters: [(raw: String, decoded: String)] = [
            ("a", "a"), ("b", "b"), ("\\u0061", "a"), ("é", "é"), ("\\u00e9", "é"), ("\\n", "\n"), ("cd", "cd"),
            ("_", "_"),
        ]
        for round in 0..<1000 {
            // Few different names for many members give many duplicates, long names hardly any.
            let length = 1 + generator.below(8)
            var seen = Set<String>()
            var expected: [Int] = []
            var rawNames: [String] = []
            for index in 0..<generator.below(80) {
                // Half of the rounds have no escape: those are compared in another way.
                let usable = round.isMultiple(of: 2) ? letters : letters.filter { !$0.raw.hasPrefix("\\") }
                let pieces = (0..<length).map { _ in generator.pick(usable) }
                rawNames.append(pieces.map(\.raw).joined())
                if !seen.insert(pieces.map(\.decoded).joined()).inserted { expected.append(index) }
            }
            let (text, offsets) = Self.object(rawNames)
            #expect(Self.duplicates(text) == expected.prefix(16).map { offsets[$0] }, "round \(round): \(text)")
        }
    }
}
