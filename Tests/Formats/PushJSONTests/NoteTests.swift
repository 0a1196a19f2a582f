import PushJSON
import Testing

/// What the scanner notes: valid JSON that not every reader supports.
struct NoteTests {
    private static func kinds(_ text: String) -> [JSONTape.Note.Kind] { ScanResult(Array(text.utf8)).notes.map(\.kind) }

    @Test func `numbers are noted from the first that cannot be held`() {
        let held = [
            "9223372036854775807", "-9223372036854775808", "-0", "1e308", "-1e308", "1.7976931348623157e308", "1e-400",
            "1.7976931348623158e308", "0e999", "0.0000000000000000000000000000000000001", "9223372036854775808.0",
            "100000000000000000000e-1",
        ]
        for text in held { #expect(Self.kinds(text) == [], "\(text)") }
        let beyond = [
            "9223372036854775808", "-9223372036854775809", "99999999999999999999", "1e309", "-1e309", "1E+400",
            "1.7976931348623159e308", "123456789012345678901234567890",
        ]
        for text in beyond { #expect(Self.kinds(text) == [.numberOutOfRange], "\(text)") }
    }

    @Test func `a surrogate escape is noted unless it is half of a pair`() {
        let pairs = [
            "\\ud83d\\ude00", "\\uD800\\uDC00", "\\udbff\\udfff", "x\\ud83d\\ude00\\ud83d\\ude00", "\\ud7ff\\ue000",
        ]
        for text in pairs { #expect(Self.kinds("\"\(text)\"") == [], "\(text)") }
        let lone = [
            "\\ud800", "\\udc00", "\\udfff", "\\ud800x", "\\ud800\\n", "\\ud800\\u0041", "\\udc00\\ud800",
            "\\ud800\\ud800\\udc00", "\\ud800\\udc00\\udc00", "\\ud800\\\\udc00", "\\ud800 \\udc00",
        ]
        for text in lone { #expect(Self.kinds("\"\(text)\"") == [.loneSurrogate], "\(text)") }
        // An escaped backslash before them makes them plain letters.
        #expect(Self.kinds("\"\\\\ud800\"") == [])
    }

    @Test func `halves of a pair in two strings are two lone surrogates`() {
        #expect(Self.kinds("[\"\\ud800\",\"\\udc00\"]") == [.loneSurrogate, .loneSurrogate])
        #expect(Self.kinds("{\"\\ud800\":\"\\udc00\"}") == [.loneSurrogate, .loneSurrogate])
    }

    @Test func `a NUL is noted in a member name only`() {
        #expect(Self.kinds("\"\\u0000\"") == [])
        #expect(Self.kinds("{\"a\":\"\\u0000\"}") == [])
        #expect(Self.kinds("{\"a\\u0000\":1}") == [.nulInKey])
        #expect(Self.kinds("{\"\\\\u0000\":1}") == [])
        #expect(Self.kinds("{\"\\u0001\":1}") == [])
    }

    @Test func `notes stand in the order of the text`() {
        let rows = [
            "[1e400,\"\\ud800\",{\"a\":1,\"a\":2},{\"\\u0000\":1e400}]",
            // More than 32 members, so the duplicate is found when the object closes, after the notes about its values.
            Self.wide(duplicateAt: 35, others: [38: "\"\\ud800\""]),
            Self.wide(duplicateAt: 35, others: [33: "1e400", 36: "{\"x\":1,\"x\":2}", 39: "[1e400]"]),
        ]
        let counts = [5, 2, 4]
        for (text, count) in zip(rows, counts) {
            let entries = ScanResult(Array(text.utf8)).notes.map(\.entry)
            #expect(entries.count == count, "\(text)")
            #expect(entries == entries.sorted(), "\(text)")
        }
    }

    /// An object of 40 members named m0, m1, …; the member at `duplicateAt` has the name of the one before it.
    private static func wide(duplicateAt: Int, others: [Int: String]) -> String {
        let members = (0..<40).map { index in
            "\"m\(index == duplicateAt ? index - 1 : index)\":\(others[index] ?? "0")"
        }
        return "{\(members.joined(separator: ","))}"
    }

    @Test func `notes are kept up to a limit`() {
        #expect(JSONTape.maximumNotes == 16)
        for count in [15, 16, 17, 1000] {
            let text = "[\(Array(repeating: "1e400", count: count).joined(separator: ","))]"
            let notes = ScanResult(Array(text.utf8)).notes
            // The array is entry 0, so the numbers are 1, 2, 3, …
            #expect(notes.map(\.entry) == Array(1...min(count, 16)))
            #expect(notes.allSatisfy { $0.kind == .numberOutOfRange })
        }
    }

    @Test func `duplicate keys do not hide that a text cannot be held`() {
        for duplicates in [15, 16, 17, 40] {
            let members = Array(repeating: "\"a\":0", count: duplicates + 1).joined(separator: ",")
            let text = Array("[{\(members)},1e400]".utf8)
            #expect(JanssonAnswer(text) == .unrepresentable)
            let scan = ScanResult(text)
            #expect(scan.isUnrepresentable, "\(duplicates) duplicates")
            #expect(scan.notes.count <= JSONTape.maximumNotes)
        }
    }

    @Test func `a new text begins without notes`() {
        var scanner = JSONScanner()
        var tape = JSONTape()
        for (text, count) in [("{\"a\":1,\"a\":1e400}", 2), ("[]", 0), ("1e400", 1), ("", 0), ("[", 0)] {
            _ = Array(text.utf8).withUnsafeBytes { scanner.scan($0, into: &tape) }
            let notes = tape.notes
            #expect(notes.count == count, "\(text)")
        }
    }
}
