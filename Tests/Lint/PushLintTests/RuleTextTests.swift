import Foundation
import PushJSON
import PushText
import Testing

@testable import PushLint

/// What `pushpipe explain` prints.
struct RuleTextTests {
    private let style = TextStyle(hasColors: false)

    @Test func `rules are listed in two forms`() throws {
        var text = ByteBuffer()
        RuleText.appendList(of: Rule.all, style, to: &text)
        var json = ByteBuffer()
        for rule in Rule.all { RuleText.appendJSON(rule, to: &json) }
        struct Line: Decodable { var id: String }
        let ids = try String(decoding: json.bytes, as: UTF8.self).lines
            .map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)).id }
        #expect(ids == ids.sorted() && ids.contains("aps.misspelled-key"))
        #expect(String(decoding: text.bytes, as: UTF8.self).lines.map { String($0.prefix { $0 != " " }) } == ids)
    }

    @Test func `a group stands for its rules`() throws {
        let rules = try RulePattern("gcm").rules
        #expect(rules.count > 2)
        #expect(rules.allSatisfy { $0.id.text.hasPrefix("gcm.") })
        #expect(try RulePattern("json.syntax").rules.map(\.id.text) == ["json.syntax"])
    }

    @Test func `every rule can be explained`() {
        for rule in Rule.all {
            let text = RuleText.explanation(rule, style)
            #expect(text.hasPrefix("\(rule.id): "))
            #expect(text.contains("Source: ") && text.contains("https://"))
            #expect(text.contains("--ignore \(rule.id)") == (rule.scope != .device))
        }
    }

    @Test(arguments: [30, 50, 80]) func `words stay within the terminal, and what is copied stays whole`(columns: Int) {
        let style = TextStyle(hasColors: false, columns: columns)
        for rule in Rule.all {
            let whole = [rule.failing, rule.passing].flatMap(\.lines).map { "  " + $0 } + [rule.id.text]
            for line in RuleText.explanation(rule, style).lines
            where !line.contains("https://") && !whole.contains(where: { line.contains($0.prefix(20)) }) {
                #expect(TerminalText.width(line) <= columns, "\(rule.id): \(line)")
            }
        }
    }

    @Test(arguments: [
        ("aps.mispelled-key", "did you mean aps.misspelled-key?"),
        ("nothing-visible", "did you mean aps.nothing-visible?"), ("utterly.different", "there is no rule"),
        ("gmc", "did you mean gcm?"),
    ])
    func `an unknown rule is reported with a suggestion`(name: String, hint: String) throws {
        let error = try #require(throws: UnknownRule.self) { try RulePattern(name) }
        #expect(error.description.contains(hint))
    }
}
