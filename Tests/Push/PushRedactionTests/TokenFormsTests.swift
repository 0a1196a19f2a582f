import PushSystem
import Testing

@testable import PushRedaction

/// Searching for the longest of many forms, compared with trying each.
struct TokenFormsTests {
    private func longest(_ forms: [String], in text: String, at index: Int) -> String? {
        let rest = text.lowercased().dropFirst(index)
        return forms.filter { rest.hasPrefix($0) }.max { $0.count < $1.count }
    }

    private func longest(_ forms: TokenForms, _ text: String, _ index: Int) -> (length: Int, digest: [UInt8])? {
        forms.longest(in: SearchedText(Array(text.utf8)), at: index)
    }

    @Test func `forms of many blocks are found wherever they differ from the text`() {
        var random = SplitMix64(seed: 7)
        let block = SearchedText.blockBytes
        for _ in 0..<12 {
            // Of few letters, so that both have much in common.
            let text = (0..<8 * block).map { _ in Int.random(in: 0..<40, using: &random) == 0 ? "B" : "a" }.joined()
            let forms = TokenForms()
            var texts: [String] = []
            for _ in 0..<20 {
                let start = Int.random(in: 0..<4 * block, using: &random)
                let length = Int.random(in: 1...4 * block, using: &random)
                var form = Array(text.lowercased().dropFirst(start).prefix(length))
                if Bool.random(using: &random) { form[Int.random(in: 0..<form.count, using: &random)] = "c" }
                texts.append(String(form))
                forms.insert(Array(String(form).utf8), [])
            }
            let searched = SearchedText(Array(text.utf8))
            for index in 0..<text.utf8.count {
                #expect(
                    forms.longest(in: searched, at: index)?.length == longest(texts, in: text, at: index)?.utf8.count)
            }
        }
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
                let found = forms.longest(in: SearchedText(Array(text.utf8)), at: index)
                #expect(found?.length == expected?.utf8.count)
                #expect(found.map { String(decoding: $0.digest, as: UTF8.self) } == expected.map { "<\($0)>" })
            }
        }
    }

    @Test func `forms that begin with each other are found from a copy, too`() throws {
        let forms = TokenForms()
        for count in 1...500 { forms.insert(Array(repeating: 0x61, count: count), [UInt8(count % 256)]) }
        #expect(longest(forms, "aaab", 0)?.length == 3)
        let copy = TokenForms(forms)
        copy.insert(Array("aab".utf8), [0])
        #expect(longest(copy, "aaab", 1)?.length == 3)
        #expect(longest(forms, "aaab", 1)?.length == 2)
        #expect(longest(forms, "baaa", 0) == nil)
    }

    @Test func `of forms that differ in case only, the first one counts`() throws {
        let forms = TokenForms()
        for number in 0..<50 as Range<UInt8> { forms.insert(Array("same".utf8), [number]) }
        #expect(longest(forms, "SAME", 0)?.digest == [0])
    }
}
