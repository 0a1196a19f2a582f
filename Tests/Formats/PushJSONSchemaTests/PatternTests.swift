import PushJSON
import PushSystem
import Testing

@testable import PushJSONSchema

/// Regular expressions of ECMA-262, which `pattern` consists of (JSON Schema core, section 6.4).
struct PatternTests {
    private func matches(_ pattern: String, _ text: String, steps limit: Int = 1_000_000) throws -> Bool {
        var matcher = PatternMatcher(try PatternProgram(pattern))
        var steps = limit
        let first = BorrowedText.with(text) { matcher.matches($0, steps: &steps) }
        // The second time, what was computed is used.
        let second = BorrowedText.with(text) { matcher.matches($0, steps: &steps) }
        #expect(first == second, "\(pattern) \(text)")
        return first
    }

    @Test(arguments: [
        ("", ""), ("a", "xay"), ("^a$", "a"), ("a|b", "b"), ("^(a|bc)*$", "abcbca"), ("^a{2,3}$", "aaa"),
        ("^a{2,}$", "aaaa"),
        ("^a{0}$", ""), ("^a+?b??$", "aab"), ("[a-c]", "b"), ("[^a-c]", "d"), ("[-a]", "-"), ("[a-]", "-"),
        ("[\\]]", "]"),
        ("[^]", "\n"), ("^\\d\\D\\w\\W\\s\\S$", "1a_- x"), ("^.$", "😀"), ("^\\u{1F600}$", "😀"),
        ("^\\uD83D\\uDE00$", "😀"),
        ("^\\x41\\u0042\\cJ\\t\\0$", "AB\n\t\0"), ("\\bfoo\\b", "a foo b"), ("\\Boo", "foo"),
        ("^\\p{Lu}\\p{Ll}+$", "Érika"),
        ("^\\P{L}$", "1"), ("^\\p{Letter}[\\p{Nd}\\-]+$", "日1-2"), ("^\\p{gc=Zs}$", "\u{A0}"), ("^\\s$", "\u{FEFF}"),
        ("^(?:ab)+$", "abab"), ("^(?<year>\\d+)$", "2026"), ("^(?!foo)", "bar"),
        ("^(?=.*\\d)(?=.*[a-z]).{4,}$", "ab12"),
        ("(?<=\\$)\\d", "a $5"), ("(?<!\\$)5", "15"), ("^(?:(?!--).)*$", "a-b-c"), ("^a{,2}$", "a{,2}"), ("^x{$", "x{"),
        ("^}$", "}"),
        ("^(a?){30}a{30}$", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"), ("^(a*)*$", "aaaa"), ("^[\\b]$", "\u{8}"),
        ("^\\-\\/\\.$", "-/."),
        ("^[\\d.]+$", "1.5"), ("^(|a)$", ""), ("^[^\\S ]$", "\t"),
    ])
    func `a pattern matches`(_ pattern: String, _ text: String) throws {
        #expect(try matches(pattern, text))
    }

    @Test(arguments: [
        ("a", "b"), ("^a$", "ab"), ("^a$", "a\n"), ("^a{2,3}$", "aaaa"), ("^a{2,3}$", "a"), ("[]", "a"), (".", "\n"),
        (".", "\u{2028}"),
        ("\\d", "٣"), ("\\w", "é"), ("\\bfoo\\b", "afoo"), ("^(?!foo)", "food"), ("(?<=\\$)\\d", "5"),
        ("(?<!\\$)5", "$5"),
        ("^(?:(?!--).)*$", "a--b"), ("^\\p{Lu}$", "é"), ("^[^\\p{L}]$", "é"), ("^(?=.*\\d).{4,}$", "abcd"),
        ("^(a+)+$", "aaaaaaaaaaaaaaaaaaaaaaab"),
        ("^.$", "é̂"),
    ])
    func `a pattern does not match`(_ pattern: String, _ text: String) throws {
        #expect(try !matches(pattern, text))
    }

    @Test(arguments: [
        ("(", 0), ("a)", 1), ("[a", 0), ("*a", 0), ("a**", 2), ("a{3,2}", 1), ("[b-a]", 1), ("\\", 0), ("\\1", 0),
        ("\\k<a>", 0),
        ("\\q", 0), ("\\p{Nope}", 0), ("\\p{Script=Greek}", 0), ("\\u12", 0), ("(?i)a", 0), ("[\\d-z]", 1),
        ("a{99999}", 1), ("^*", 0),
        ("\\01", 0), ("(?<a", 0),
    ])
    func `a pattern that cannot be used is an error at its place`(_ pattern: String, _ offset: Int) {
        let error = #expect(throws: PlainError.self) { try PatternProgram(pattern) }
        #expect(error?.column == offset + 1, "\(pattern): \(String(describing: error))")
        #expect(error?.message.isEmpty == false)
    }

    @Test(arguments: ["((a{100}){100}){100}", "(((((a?){30}){30}){30}){30}){30}", String(repeating: "(", count: 5000)])
    func `a pattern that grows beyond bounds is refused`(_ pattern: String) {
        #expect(throws: PlainError.self) { try PatternProgram(pattern) }
    }

    @Test(arguments: [
        ("(a+)+$", String(repeating: "a", count: 5000) + "b"), ("(a|aa)+$", String(repeating: "a", count: 5000) + "b"),
        ("(.*)*x(.*)*y", String(repeating: "é", count: 3000)), ("(a?){500}a{500}", String(repeating: "a", count: 400)),
        ("(?:(?=.*z)a)*b", String(repeating: "a", count: 3000)),
    ])
    func `a hostile text takes bounded work`(_ pattern: String, _ text: String) throws {
        var matcher = PatternMatcher(try PatternProgram(pattern))
        var steps = 300_000
        let isMatch = BorrowedText.with(text) { matcher.matches($0, steps: &steps) }
        #expect(!isMatch)
        // One step of the search may exceed the limit, by no more than the size of the pattern.
        #expect(steps > -20_000)
    }

    @Test func `a pattern with many states keeps few of them`() throws {
        let text = String((0..<3000).map { "abc".randomElement(at: $0) })
        #expect(try matches("(a|b|c)*a(a|b|c){12}$", text) == matches("a[abc]{12}$", text))
    }
}

extension String {
    /// A letter that depends on the position in no simple way.
    fileprivate func randomElement(at position: Int) -> Character {
        self[index(startIndex, offsetBy: (position &* 2_654_435_761) >> 7 % count)]
    }
}
