import SystemSupport
import Testing

@testable import PushPipeline

/// Searching for the longest of many forms, compared with trying each.
struct TokenFormsTests {
    private func longest(_ forms: [String], in text: String, at index: Int) -> String? {
        let rest = text.lowercased().dropFirst(index)
        return forms.filter { rest.hasPrefix($0) }.max { $0.count < $1.count }
    }

    @Test func `the longest form at each place is found`() {
        var random = SplitMix64(seed: 24)
        for _ in 0..<200 {
            let forms = TokenForms()
            var texts: [String] = []
            for _ in 0..<Int.random(in: 1...40, using: &random) {
                let text = String(
                    (0..<Int.random(in: 1...9, using: &random)).map { _ in "ab".randomElement(using: &random) ?? "a" })
                texts.append(text)
                forms.insert(Array(text.utf8), Array("<\(text)>".utf8))
            }
            let text = String((0..<40).map { _ in "abABc".randomElement(using: &random) ?? "a" })
            for index in 0..<text.utf8.count {
                let expected = longest(texts, in: text, at: index)
                let found = forms.longest(in: Array(text.utf8), at: index)
                #expect(found?.length == expected?.utf8.count)
                #expect(found.map { String(decoding: $0.digest, as: UTF8.self) } == expected.map { "<\($0)>" })
            }
        }
    }

    @Test func `forms that begin with each other are found from a copy, too`() throws {
        let forms = TokenForms()
        for count in 1...500 { forms.insert(Array(repeating: 0x61, count: count), [UInt8(count % 256)]) }
        #expect(forms.longest(in: Array("aaab".utf8), at: 0)?.length == 3)
        let copy = TokenForms(forms)
        copy.insert(Array("aab".utf8), [0])
        #expect(copy.longest(in: Array("aaab".utf8), at: 1)?.length == 3)
        #expect(forms.longest(in: Array("aaab".utf8), at: 1)?.length == 2)
        #expect(forms.longest(in: Array("baaa".utf8), at: 0) == nil)
    }

    @Test func `of forms that differ in case only, the first one counts`() throws {
        let forms = TokenForms()
        for number in 0..<50 as Range<UInt8> { forms.insert(Array("same".utf8), [number]) }
        #expect(forms.longest(in: Array("SAME".utf8), at: 0)?.digest == [0])
    }
}
