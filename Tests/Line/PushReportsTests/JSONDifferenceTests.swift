import PushJSON
import PushReports
import Testing

/// Differences between two JSON texts, by JSON Pointer.
struct JSONDifferenceTests {
    /// `~ pointer: old → new` and similar lines, one per change.
    private func changes(_ old: String, _ new: String) throws -> [String] {
        var (old, new) = (old, new)
        let difference = old.withUTF8 { old in
            new.withUTF8 { new in
                JSONDifference(from: borrowed(old), to: borrowed(new))
            }
        }
        return try #require(difference).changes.map { change in
            switch (change.old, change.new) {
            case (let old?, let new?): "~ \(change.pointer): \(old) → \(new)"
            case (let old?, nil): "- \(change.pointer): \(old)"
            case (nil, let new?): "+ \(change.pointer): \(new)"
            case (nil, nil): "?"
            }
        }
    }

    private func borrowed(_ text: UnsafeBufferPointer<UInt8>) -> BorrowedText {
        text.baseAddress.map { BorrowedText(start: $0, count: text.count) } ?? .empty
    }

    @Test(arguments: [
        (#"{"a":1,"b":[true,null]}"#, "{ \"b\" : [ true , null ] ,\n \"a\" : 1 }"),
        (#"{"a":"é\/"}"#, #"{"\u0061":"\u00e9/"}"#),
        ("{}", "{ }"), ("[]", "[ ]"), (#""x""#, #""\u0078""#), ("-1.50e3", "-1.50e3"),
        // Of duplicate members the last one counts.
        (#"{"a":1,"a":2}"#, #"{"a":2}"#),
    ])
    func `order, white space and escapes make no difference`(old: String, new: String) throws {
        #expect(try changes(old, new) == [])
        #expect(try changes(new, old) == [])
    }

    @Test func `added, removed and changed members are reported by their pointers`() throws {
        let old = #"{"aps":{"alert":{"title":"A","body":"B"},"badge":1},"gone":{"x":[1,2]}}"#
        let new = #"{"new":true,"aps":{"badge":2,"alert":{"body":"B","title":"C","subtitle":"S"}}}"#
        #expect(
            try changes(old, new) == [
                #"~ /aps/alert/title: "A" → "C""#, #"+ /aps/alert/subtitle: "S""#, "~ /aps/badge: 1 → 2",
                #"- /gone: {"x": [1, 2]}"#, "+ /new: true",
            ])
    }

    @Test func `a name is escaped as JSON Pointer requires`() throws {
        #expect(
            try changes(#"{"a/b":{"~":1,"":2}}"#, #"{"a/b":{"~":2,"":3}}"#) == ["~ /a~1b/~0: 1 → 2", "~ /a~1b/: 2 → 3"])
    }

    @Test(arguments: [
        ("1", "1.0"), ("100", "1e2"), ("-0", "0"), ("12345678901234567890", "12345678901234567891"), ("1", "\"1\""),
        ("null", "false"), ("[]", "{}"), (#""a""#, #""b""#), (#""\u0301e""#, #""e\u0301""#),
    ])
    func `values with another spelling or type differ`(old: String, new: String) throws {
        #expect(try changes(old, new) == ["~ : \(old) → \(new)"])
        #expect(try changes("{\"a\":\(old)}", "{\"a\":\(new)}") == ["~ /a: \(old) → \(new)"])
    }

    @Test func `names that look alike are compared by their bytes`() throws {
        #expect(try changes(#"{"\u00e9":1}"#, #"{"e\u0301":1}"#).count == 2)
    }

    @Test func `arrays of equal length are compared by element, others as a whole`() throws {
        #expect(try changes("[1,[2,3],4]", "[1,[2,5],6]") == ["~ /1/1: 3 → 5", "~ /2: 4 → 6"])
        #expect(try changes(#"{"a":[1,2]}"#, #"{"a":[1,2,3]}"#) == ["~ /a: [1, 2] → [1, 2, 3]"])
        #expect(try changes("[]", "[1]") == ["~ : [] → [1]"])
        #expect(try changes(#"[{"a":1,"b":2}]"#, #"[{"b":2,"a":1}]"#) == [])
    }

    @Test func `any depth that the scanner accepts is compared`() throws {
        let depth = JSONScanner.maximumDepth
        func nested(_ value: String) -> String {
            String(repeating: "[", count: depth) + value + String(repeating: "]", count: depth)
        }
        #expect(try changes(nested("1"), nested("2")) == ["~ \(String(repeating: "/0", count: depth)): 1 → 2"])
    }

    @Test(arguments: [("{", "{}"), ("{}", ""), ("{}", "{} {}")])
    func `text that is not JSON cannot be compared`(old: String, new: String) {
        var (old, new) = (old, new)
        old.withUTF8 { old in
            new.withUTF8 { new in #expect(JSONDifference(from: borrowed(old), to: borrowed(new))?.changes == nil) }
        }
    }
}
