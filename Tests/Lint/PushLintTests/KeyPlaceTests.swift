import Testing

@testable import PushLint

/// The names of members at places in a text.
struct KeyPlaceTests {
    /// The place of the first byte of `name` in a text, which has it once.
    private func place(of name: String, in text: String) throws -> KeyPlace? {
        let start = try #require(text.firstRange(of: name)?.lowerBound)
        return KeyPlace(at: text.utf8.distance(from: text.startIndex, to: start), in: Array(text.utf8))
    }

    @Test func `names in strings are found through their escapes`() throws {
        let text = #"{"é":"x","APNS":"{\"\u00e9\ud83d\ude00\":[{\"inner\":\"{\\\"key\\\":1}\"}]}"}"#
        #expect(try place(of: "key", in: text)?.path == ["APNS", "é😀", "inner", "key"])
        let inner = try #require(try place(of: "inner", in: text))
        #expect(inner.path == ["APNS", "é😀", "inner"])
        #expect(String(decoding: Array(text.utf8)[inner.range], as: UTF8.self) == #"\"inner\""#)
        #expect(try place(of: "x", in: text) == nil)
    }

    /// With a walk over the string for each of its members, this would take minutes.
    @Test func `a string with many members is walked over once`() throws {
        let members = (0..<50_000).map { #"\"k\#($0)\":0"# }.joined(separator: ",")
        let text = #"{"APNS":"{\#(members),\"last\":0}"}"#
        #expect(try place(of: "last", in: text)?.path == ["APNS", "last"])
    }
}
